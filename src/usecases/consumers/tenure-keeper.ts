/**
 * Keeps the tenure of an owner: it writes the progress and renews the lease. A timer renews the lease too,
 * because a handler may take long. The keeper notices when another instance may be the owner.
 */
import type { ParkedFact } from '../../domain/consumers';
import { steadyNow } from '../../ports/clock';
import type { Timers } from '../../ports/timers';
import type { Context } from '../context';
import { CONSUMER_LEASE_MS, endTenure, keepTenure, type BegunTenure, type ConsumerProgress } from './tenure';

const RENEWAL_MS = 5_000;
/** After a fact is handled, the position is written if the lease was last renewed at least this long ago. */
const CHECKPOINT_MS = 1_000;
/**
 * After a fact is handled, the position is written if it has moved by at least this many numbers since the last
 * write.
 */
const CHECKPOINT_FACTS = 100;
/** No call of the handler begins when less than this is left until the lease ends. */
const MARGIN_MS = 2_000;

export interface KeeperDependencies {
  context: Pick<Context, 'storage' | 'clock' | 'logger'>;
  timers: Pick<Timers, 'after'>;
  progress: () => ConsumerProgress;
}

export class TenureKeeper {
  readonly #dependencies: KeeperDependencies;
  readonly #tenure: BegunTenure;
  readonly #ending = new AbortController();
  /** The time (`steadyNow`) just before the last transaction that renewed the lease. */
  #renewedAt: number;
  #written: ConsumerProgress;
  #isLost = false;
  #lastWrite: Promise<void> = Promise.resolve();
  #cancelRenewal: () => void;

  /** `beganAt`: the time (`steadyNow`) just before the lease was taken. */
  constructor(dependencies: KeeperDependencies, tenure: BegunTenure, beganAt: number) {
    this.#dependencies = dependencies;
    this.#tenure = tenure;
    this.#renewedAt = beganAt;
    this.#written = dependencies.progress();
    this.#cancelRenewal = this.#renewLater();
  }

  /** Aborted when the owner has to stop, or when another instance may be the owner. */
  get ending(): AbortSignal {
    return this.#ending.signal;
  }

  /** Whether another instance may be the owner. */
  get isLost(): boolean {
    return this.#isLost;
  }

  /** Aborts `ending`, and keeps the lease. */
  stop(): void {
    this.#ending.abort();
  }

  /**
   * Resolves with whether a call of the handler may begin. If the last renewal of the lease was long ago, the
   * lease is renewed first, so that this instance is sure to be the owner.
   */
  async mayBegin(): Promise<boolean> {
    if (!this.ending.aborted && !this.#isSure()) await this.keep();
    return !this.ending.aborted;
  }

  keep(toPark: ParkedFact | null = null): Promise<void> {
    const { context, progress } = this.#dependencies;
    return this.write(async () => {
      const reached = progress();
      const isOwner = await keepTenure(context, this.#tenure, reached, toPark);
      if (isOwner) this.#written = reached;
      return isOwner;
    });
  }

  async keepIfDue(): Promise<void> {
    const { context, progress } = this.#dependencies;
    const isOld = steadyNow(context.clock) - this.#renewedAt >= CHECKPOINT_MS;
    if (isOld || progress().seq - this.#written.seq >= CHECKPOINT_FACTS) await this.keep();
  }

  async keepIfMoved(): Promise<void> {
    const { seq, failures } = this.#dependencies.progress();
    if (seq !== this.#written.seq || failures !== this.#written.failures) await this.keep();
  }

  /**
   * Runs a transaction that renews the lease. If the transaction resolves with `false`, this instance is no
   * longer the owner. Transactions run one after another, so that the position never goes back.
   */
  write(transaction: () => Promise<boolean>): Promise<void> {
    const result = this.#lastWrite.then(async () => {
      if (this.#isLost) return;
      const startedAt = steadyNow(this.#dependencies.context.clock);
      if (await transaction()) this.#renewedAt = startedAt;
      else this.#lose();
    });
    this.#lastWrite = result.catch(() => undefined);
    return result;
  }

  /**
   * Ends the tenure after the last write. While a handler is at work, the lease is not given back, and ends by
   * itself.
   */
  async end(isHandlerAtWork: () => boolean): Promise<void> {
    this.stop();
    this.#cancelRenewal();
    await this.#lastWrite;
    const { context, progress } = this.#dependencies;
    const mayGiveBack = !this.#isLost && !isHandlerAtWork();
    this.#isLost = true;
    if (mayGiveBack) await endTenure(context, this.#tenure, progress());
  }

  #isSure(): boolean {
    const age = steadyNow(this.#dependencies.context.clock) - this.#renewedAt;
    return !this.#isLost && age < CONSUMER_LEASE_MS - MARGIN_MS;
  }

  #renewLater(): () => void {
    return this.#dependencies.timers.after(RENEWAL_MS, () => void this.#renew());
  }

  async #renew(): Promise<void> {
    const { logger } = this.#dependencies.context;
    try {
      await this.keep();
    } catch (err) {
      logger.warn({ err, consumer: this.#tenure.name }, 'the lease of a consumer was not renewed');
      if (!this.#isSure()) this.#lose();
    }
    if (!this.ending.aborted) this.#cancelRenewal = this.#renewLater();
  }

  #lose(): void {
    if (this.#isLost) return;
    this.#isLost = true;
    const { logger } = this.#dependencies.context;
    logger.warn({ consumer: this.#tenure.name }, 'this instance is no longer the owner of a consumer');
    this.#cancelRenewal();
    this.stop();
  }
}
