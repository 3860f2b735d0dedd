/**
 * The numbering part of the relay: gives committed facts their `seq`. Only the instance with the lease
 * `event-relay` numbers facts. Does nothing if the storage numbers facts as it appends them.
 */
import { isAhead } from '../domain/instants';
import type { Context } from '../usecases/context';
import { newLeaseOwner } from '../usecases/lease-owner';

export const SEQUENCER_LEASE = 'event-relay';
export const SEQUENCER_LEASE_MS = 10_000;
/** After an instance has found the lease taken, it waits this long before it asks again. */
const LEASE_RETRY_MS = 1_000;

export type SequencerContext = Pick<Context, 'storage' | 'clock' | 'clockIsSteady' | 'random' | 'logger'>;

export class Sequencer {
  readonly #context: SequencerContext;
  readonly #owner: string;
  #notBefore = -Infinity;

  constructor(context: SequencerContext) {
    this.#context = context;
    this.#owner = newLeaseOwner(context.random);
  }

  /**
   * Numbers at most `limit` facts. Resolves with whether more may wait. With `keepLease` `false`, the instance
   * gives the lease back after the run, so that an instance with listeners, readers or followers can take the
   * lease.
   */
  async run(limit: number, keepLease: boolean): Promise<boolean> {
    const { storage, clock, clockIsSteady } = this.#context;
    const now = clock.now();
    if (!this.#isNeeded || isAhead(this.#notBefore, now, LEASE_RETRY_MS) || !clockIsSteady()) return false;
    const sequenced = await storage.transaction(async (transaction) => {
      const lease = { name: SEQUENCER_LEASE, owner: this.#owner, now, until: now + SEQUENCER_LEASE_MS };
      if ((await transaction.leases.acquire(lease)) === null) return null;
      const count = await transaction.events.sequence(limit);
      if (!keepLease) await transaction.leases.release({ name: SEQUENCER_LEASE, owner: this.#owner });
      return count;
    });
    if (sequenced === null) this.#notBefore = now + LEASE_RETRY_MS;
    return sequenced !== null && sequenced >= limit;
  }

  /** Releases the lease, so that another instance need not wait until the lease ends. */
  async stop(): Promise<void> {
    if (!this.#isNeeded) return;
    const { storage, logger } = this.#context;
    await storage
      .transaction((transaction) => transaction.leases.release({ name: SEQUENCER_LEASE, owner: this.#owner }))
      .catch((err: unknown) => logger.warn({ err }, 'the lease of the event relay was not given back'));
  }

  get #isNeeded(): boolean {
    return this.#context.storage.eventNumbering === 'relay';
  }
}
