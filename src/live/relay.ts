/**
 * Carries events from the outbox to this instance's emitter: after commit, in order, while there are listeners and
 * from the moment of `start`; docs/embedding.md says what that promises. Any number of instances may run one: each
 * tails the whole sequence.
 */
import type { Logger } from '../ports/logger';
import type { Storage, Transaction } from '../ports/storage';
import type { Context } from '../usecases/context';
import { newLeaseOwner } from '../usecases/lease-owner';
import { expandOutboxEvent } from '../events/facts';
import type { Emitter } from './emitter';

export const RELAY_LEASE = 'event-relay';
export const RELAY_LEASE_MS = 10_000;
export const EPOCH_SETTING = 'event-epoch';
/** How long an instance that found the lease taken leaves sequencing to its holder. */
const LEAVE_IT_MS = 1_000;
const PAGE = 1_000;

/** Where a subscriber stands: `epoch` tells two histories apart (a storage that was made anew). */
export interface EventPosition {
  epoch: string;
  seq: number;
}

export interface Relay {
  /** Reads where the sequence stands; events from here on are emitted. The storage is open. */
  start(): Promise<void>;
  /** Gives the lease back. Nothing runs any more when it is called. */
  stop(): Promise<void>;
  /** A hint that events may wait. */
  wake(): void;
  /** Who is told of the hints: the loop that calls `run`. */
  onWake(listener: () => void): void;
  /** Sequences and emits what waits, at most a page; whether more may wait. One call at a time. */
  run(): Promise<boolean>;
  /** The newest event that this instance has emitted or passed over. */
  position(): EventPosition;
}

type RelayContext = Pick<Context, 'storage' | 'clock' | 'random' | 'logger'>;

export function createRelay(context: RelayContext, emitter: Emitter): Relay {
  const { storage, random, logger } = context;
  const sequencer = createSequencer(context, newLeaseOwner(random));
  let position: EventPosition = { epoch: '', seq: 0 };
  let wakeUp = (): void => undefined;

  async function emitPage(): Promise<boolean> {
    const page = await storage.read((reader) => reader.events.after(position.seq, PAGE));
    for (const row of page) {
      for (const event of expanded(row, logger)) emitter.publish(event);
      if (row.seq !== null) position = { ...position, seq: row.seq };
    }
    return page.length === PAGE;
  }

  async function passOver(): Promise<void> {
    position = { ...position, seq: await storage.read((reader) => reader.events.head()) };
  }

  return {
    async start() {
      const made = Buffer.from(random.bytes(16)).toString('hex');
      const epoch = await storage.transaction((transaction) =>
        transaction.settings.putIfAbsent(EPOCH_SETTING, made),
      );
      await sequencer.start();
      position = { epoch, seq: await storage.read((reader) => reader.events.head()) };
    },
    stop: () => sequencer.stop(),
    // Where nobody listens the poll is soon enough: following every commit costs a commit each time.
    wake: () => {
      if (emitter.hasListeners()) wakeUp();
    },
    onWake: (listener) => {
      wakeUp = listener;
    },
    async run() {
      const moreToSequence = await sequencer.run(emitter.hasListeners());
      if (emitter.hasListeners()) return (await emitPage()) || moreToSequence;
      await passOver();
      return moreToSequence;
    },
    position: () => position,
  };
}

/** A row that cannot be expanded must not stop all that come after it. */
function expanded(row: Parameters<typeof expandOutboxEvent>[0], logger: Logger) {
  try {
    return expandOutboxEvent(row);
  } catch (err) {
    logger.error({ err, seq: row.seq, kind: row.kind }, 'an event could not be read');
    return [];
  }
}

/**
 * Gives committed events their `seq`, one instance at a time. Storages with a single writer number events as they
 * append them: there this does nothing, and a wake-up costs no write.
 */
function createSequencer({ storage, clock, logger }: RelayContext, owner: string) {
  let needed = true;
  let notBefore = -Infinity;

  /** An instance without listeners only polls: it leaves the lease free for one that follows every commit. */
  async function run(keepLease: boolean): Promise<boolean> {
    const now = clock.now();
    if (!needed || now < notBefore) return false;
    const sequenced = await storage.transaction(async (transaction) => {
      const lease = { name: RELAY_LEASE, owner, now, until: now + RELAY_LEASE_MS };
      if ((await transaction.leases.acquire(lease)) === null) return null;
      const count = await transaction.events.sequence(PAGE);
      if (!keepLease) await transaction.leases.release({ name: RELAY_LEASE, owner });
      return count;
    });
    if (sequenced === null) notBefore = now + LEAVE_IT_MS;
    return sequenced !== null && sequenced >= PAGE;
  }

  return {
    run,
    async start() {
      needed = !(await sequencesOnAppend(storage, clock.now()));
    },
    async stop() {
      if (!needed) return;
      // Only a courtesy to whoever comes next: the lease ends by itself.
      await storage
        .transaction((transaction) => transaction.leases.release({ name: RELAY_LEASE, owner }))
        .catch((err: unknown) => logger.warn({ err }, 'the lease of the event relay was not given back'));
    },
  };
}

/**
 * Finds out by a trial that leaves no trace: inside a transaction that is rolled back, does an event that is
 * appended move the head? The port does not say which kind a storage is, and this costs one transaction a start.
 */
async function sequencesOnAppend(storage: Storage, now: number): Promise<boolean> {
  let moved: boolean | null = null;
  try {
    await storage.transaction(async (transaction) => {
      moved = await appendMovesHead(transaction, now);
      throw new TrialEnded();
    });
  } catch (error) {
    if (!(error instanceof TrialEnded)) throw error;
  }
  return moved === true;
}

class TrialEnded extends Error {}

async function appendMovesHead(transaction: Transaction, now: number): Promise<boolean> {
  const before = await transaction.events.head();
  await transaction.events.append([
    { marketId: null, marketSeq: null, kind: 'trial', createdAt: now, data: {} },
  ]);
  return (await transaction.events.head()) > before;
}
