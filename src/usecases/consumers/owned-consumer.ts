/**
 * The instance that owns a consumer reads facts page by page and calls the handler for each fact. It stores the
 * position up to which all facts are finished. When the instance cannot be sure that it still has the lease, it
 * begins no further call.
 */
import type { NumberedFact } from '../../domain/events';
import { backOffMs } from '../../domain/back-off';
import { createFactWindow, type FactWindow } from '../../domain/fact-window';
import { fractionOf } from '../../ports/random';
import type { Timers } from '../../ports/timers';
import type { Context } from '../context';
import { factsAfter } from '../facts/read-facts';
import { callHandler, textOfFailure, type HandlerFailure } from './handler-call';
import type { ConsumerDefinition } from './options';
import { ParkedFacts, type ParkedFactsDependencies } from './parked-facts';
import type { BegunTenure, ConsumerProgress } from './tenure';
import { TenureKeeper } from './tenure-keeper';

const PAGE = 100;
/**
 * No further page is read when the newest fact in memory is this many numbers ahead of the position. The bound
 * limits how many facts a new owner handles again, because a new owner begins at the position.
 */
const FURTHEST_AHEAD = 1_000;

export interface WorkerDependencies extends Pick<ParkedFactsDependencies, 'onParked'> {
  context: Pick<Context, 'storage' | 'clock' | 'clockIsSteady' | 'random' | 'logger'>;
  timers: Pick<Timers, 'after'>;
  /** Called when a pause after a failure is over, as a hint to run again. */
  wake: () => void;
}

export class OwnedConsumer {
  readonly #dependencies: WorkerDependencies;
  readonly #definition: ConsumerDefinition;
  readonly #tenure: BegunTenure;
  readonly #keeper: TenureKeeper;
  readonly #parkedFacts: ParkedFacts;
  readonly #window: FactWindow<NumberedFact>;
  /** The running calls of the handler, by the number of the fact. */
  readonly #calls = new Map<number, Promise<void>>();
  readonly #pauses = new Set<() => void>();
  #lastError: string | null = null;

  /** `beganAt`: the time (`steadyNow`) just before the lease was taken. */
  constructor(
    dependencies: WorkerDependencies,
    definition: ConsumerDefinition,
    tenure: BegunTenure,
    beganAt: number,
  ) {
    const { context, timers, onParked } = dependencies;
    this.#dependencies = dependencies;
    this.#definition = definition;
    this.#tenure = tenure;
    this.#window = createFactWindow<NumberedFact>(tenure.seq, { byMarket: definition.concurrency > 1 });
    const progress = (): ConsumerProgress => this.#progress();
    this.#keeper = new TenureKeeper({ context, timers, progress }, tenure, beganAt);
    this.#parkedFacts = new ParkedFacts({ context, keeper: this.#keeper, onParked }, definition, tenure);
    this.#keeper.ending.addEventListener('abort', () => this.#endPauses());
  }

  get isLost(): boolean {
    return this.#keeper.isLost;
  }

  async run(stopping: AbortSignal): Promise<void> {
    const stop = (): void => this.#keeper.stop();
    if (stopping.aborted) stop();
    stopping.addEventListener('abort', stop);
    try {
      await this.#parkedFacts.redo();
      await this.#handleAll();
    } finally {
      stopping.removeEventListener('abort', stop);
      await Promise.all(this.#calls.values());
    }
    await this.#keeper.keepIfMoved();
  }

  async end(): Promise<void> {
    await this.#keeper.end(() => this.#calls.size > 0);
  }

  #progress(): ConsumerProgress {
    return { seq: this.#window.position(), failures: this.#window.failures(), lastError: this.#lastError };
  }

  async #handleAll(): Promise<void> {
    let mayBeMore = true;
    while (!this.#keeper.ending.aborted) {
      const reads = mayBeMore && this.#hasRoom();
      if (reads) mayBeMore = await this.#readPage();
      await this.#beginCalls();
      if (this.#calls.size > 0) await Promise.race(this.#calls.values());
      else if (!(mayBeMore && this.#hasRoom())) return;
      await this.#keeper.keepIfDue();
    }
  }

  #hasRoom(): boolean {
    const window = this.#window;
    const ahead = window.newest() - window.position();
    return this.#mayBegin() && window.size() <= PAGE / 2 && ahead < FURTHEST_AHEAD;
  }

  /** Resolves with whether there may be facts after the page. */
  async #readPage(): Promise<boolean> {
    const after = { epoch: this.#tenure.epoch, seq: this.#window.newest() };
    const facts = await this.#dependencies.context.storage.read((reader) => factsAfter(reader, after, PAGE));
    this.#window.add(facts);
    return facts.length > 0;
  }

  #mayBegin(): boolean {
    return !this.#keeper.ending.aborted && this.#parkedFacts.hasRoom();
  }

  async #beginCalls(): Promise<void> {
    while (this.#calls.size < this.#definition.concurrency && this.#mayBegin()) {
      if (!(await this.#keeper.mayBegin())) return;
      const fact = this.#mayBegin() ? this.#window.take() : null;
      if (fact === null) return;
      const call = this.#handle(fact).finally(() => this.#calls.delete(fact.seq));
      this.#calls.set(fact.seq, call);
    }
  }

  async #handle(fact: NumberedFact): Promise<void> {
    const { epoch, token } = this.#tenure;
    const attempt = this.#window.failuresOf(fact) + 1;
    const signal = this.#keeper.ending;
    const failed = await callHandler(this.#definition, fact, { epoch, attempt, token, signal });
    if (failed === null) this.#window.finish(fact);
    // The handler may have failed because its signal was aborted. So this failure does not count.
    else if (signal.aborted) this.#window.release(fact);
    else await this.#parkOrPause(fact, failed);
  }

  async #parkOrPause(fact: NumberedFact, failed: HandlerFailure): Promise<void> {
    const failures = this.#window.fail(fact);
    const error = textOfFailure(failed);
    this.#lastError = error;
    const details = { err: failed.error, consumer: this.#tenure.name, seq: fact.seq, failures };
    this.#dependencies.context.logger.warn(details, 'the handler of a consumer failed');
    const wasLastAttempt = failures >= this.#definition.attempts;
    if (wasLastAttempt && (await this.#parkedFacts.park(fact, { failures, error })))
      this.#window.finish(fact);
    else this.#pause(fact, failures);
  }

  #pause(fact: NumberedFact, failures: number): void {
    const { context, timers, wake } = this.#dependencies;
    const { firstPauseMs: firstMs, longestPauseMs: longestMs } = this.#definition;
    if (this.#keeper.ending.aborted) return;
    const pauseMs = backOffMs(failures, { firstMs, longestMs }, fractionOf(context.random));
    const cancel = timers.after(pauseMs, () => {
      this.#pauses.delete(cancel);
      this.#window.release(fact);
      wake();
    });
    this.#pauses.add(cancel);
  }

  #endPauses(): void {
    for (const cancel of this.#pauses) cancel();
    this.#pauses.clear();
  }
}
