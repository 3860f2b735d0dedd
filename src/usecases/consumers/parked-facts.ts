/** The parked facts of a consumer, as its owner sees them. Operators may remove parked facts at any time. */
import type { ParkedFact } from '../../domain/consumers';
import type { LocalEventMap, NumberedFact } from '../../domain/events';
import type { Context } from '../context';
import { callHandler, textOfFailure } from './handler-call';
import type { ConsumerDefinition } from './options';
import { MOST_PARKED, storeRedone, type BegunTenure } from './tenure';
import type { TenureKeeper } from './tenure-keeper';

const REDONE_PER_RUN = 10;

export interface ParkedFactsDependencies {
  context: Pick<Context, 'storage' | 'clock' | 'logger'>;
  keeper: TenureKeeper;
  onParked: (parked: LocalEventMap['consumer.parked']) => void;
}

export class ParkedFacts {
  readonly #dependencies: ParkedFactsDependencies;
  readonly #definition: ConsumerDefinition;
  readonly #tenure: BegunTenure;
  /** How many facts are parked, as far as this instance knows. Operators may have removed some since the count. */
  #count: number;

  constructor(dependencies: ParkedFactsDependencies, definition: ConsumerDefinition, tenure: BegunTenure) {
    this.#dependencies = dependencies;
    this.#definition = definition;
    this.#tenure = tenure;
    this.#count = tenure.parked;
  }

  hasRoom(): boolean {
    return this.#count < MOST_PARKED;
  }

  /** Resolves with whether the fact is parked. */
  async park({ seq, ...fact }: NumberedFact, failed: { failures: number; error: string }): Promise<boolean> {
    if (!this.hasRoom()) return false;
    const { context, keeper, onParked } = this.#dependencies;
    const { clock, logger } = context;
    const its = { consumer: this.#tenure.name, epoch: this.#tenure.epoch, seq, ...failed };
    this.#count += 1;
    try {
      await keeper.keep({ ...its, fact, parkedAt: clock.now(), redo: false });
    } catch (err) {
      this.#count -= 1;
      logger.warn({ err, consumer: its.consumer, seq }, 'a fact could not be parked, and is tried again');
      return false;
    }
    if (keeper.isLost) return false;
    logger.error({ consumer: its.consumer, seq, ...failed }, 'a consumer has parked a fact');
    onParked(its);
    return true;
  }

  async redo(): Promise<void> {
    if (this.#count === 0) return;
    const { keeper } = this.#dependencies;
    for (const parkedFact of (await this.#list({ limit: REDONE_PER_RUN, redo: true })).parked) {
      if (!(await keeper.mayBegin())) return;
      await this.#tryAgain(parkedFact);
    }
    if (!keeper.ending.aborted) this.#count = (await this.#list({ limit: 1 })).total;
  }

  async #tryAgain(parkedFact: ParkedFact): Promise<void> {
    const { context, keeper } = this.#dependencies;
    const { fact, seq, epoch } = parkedFact;
    const failures = parkedFact.failures + 1;
    const failed = await callHandler(
      this.#definition,
      { ...fact, seq },
      { epoch, attempt: failures, token: this.#tenure.token, signal: keeper.ending },
    );
    // The handler may have failed because its signal was aborted. So this failure does not count.
    if (failed !== null && keeper.ending.aborted) return;
    const result = failed === null ? null : { failures, error: textOfFailure(failed) };
    await keeper.write(() => storeRedone(context, this.#tenure, parkedFact, result));
  }

  #list(query: { limit: number; redo?: true }): Promise<{ parked: ParkedFact[]; total: number }> {
    const { storage } = this.#dependencies.context;
    const all = { consumer: this.#tenure.name, offset: 0, ...query };
    return storage.read((reader) => reader.consumers.listParked(all));
  }
}
