/**
 * Fills the books of the running server with sample markets, while it serves requests: a second market over
 * the same storage, whose clock goes through the past weeks.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Logger } from 'pino';
import {
  isPredictionMarketError,
  type Clock,
  type PredictionMarket,
  type Storage,
} from 'express-prediction-market';
import { testClock } from 'express-prediction-market/testing';
import type { Settings } from '../settings';
import type { Filled } from './fill';
import { DEFAULT_SEED } from './markets';

export interface SampleState {
  state: 'idle' | 'running' | 'done' | 'failed';
  /** How many hours have been filled so far. */
  done: number;
  /** How many hours have to be filled in all. 0 until that is known. */
  total: number;
  /** Why the sample markets could not be made. `null` unless `state` is `failed`. */
  message: string | null;
  filled: Filled | null;
}

export type RefusalCode = 'NOT_PLAY_MONEY' | 'SEVERAL_PROCESSES' | 'NOT_EMPTY';

export interface SampleRefusal {
  code: RefusalCode;
  message: string;
}

export interface Samples {
  state(): SampleState;
  /** Why a start would be refused now, or null. */
  refusal(): Promise<SampleRefusal | null>;
  /**
   * Starts to make sample markets, and resolves before they are complete. If the start is refused, resolves with
   * the reason, otherwise with `null`.
   */
  start(operator: string): Promise<SampleRefusal | null>;
  /** Ends the filling before its next hour, and resolves when it has ended. A later start makes no markets. */
  stop(): Promise<void>;
}

export interface SampleParts {
  settings: Settings;
  /** The market of the server. */
  market: PredictionMarket;
  storage: Storage;
  logger: Logger;
  /** A further market over the same storage. */
  marketAt(clock: Clock): PredictionMarket;
}

const IDLE: SampleState = { state: 'idle', done: 0, total: 0, message: null, filled: null };

/** Why this server cannot make sample markets at all, or null. */
export function samplesRefusal({ facilitator, workers, redisUrl }: Settings): SampleRefusal | null {
  if (facilitator.kind !== 'development')
    return { code: 'NOT_PLAY_MONEY', message: 'Sample markets are for play money only.' };
  if (workers === 1 && redisUrl === undefined) return null;
  const message =
    'With WORKERS or REDIS_URL several processes share the database, and one has to fill it: stop them, and call `express-prediction-market sample`.';
  return { code: 'SEVERAL_PROCESSES', message };
}

export function createSamples({ settings, market, storage, logger, marketAt }: SampleParts): Samples {
  const stopping = new AbortController();
  let state = IDLE;
  let starting: Promise<SampleRefusal | null> | null = null;
  let filling: Promise<void> = Promise.resolve();

  async function refusal(): Promise<SampleRefusal | null> {
    const general = samplesRefusal(settings);
    if (general !== null) return general;
    const { foundInBooks, ONLY_EMPTY } = await import('./empty-books');
    const found = await foundInBooks(market);
    if (found === null) return null;
    return { code: 'NOT_EMPTY', message: `This database has ${found}, and ${ONLY_EMPTY}.` };
  }

  async function begin(operator: string): Promise<SampleRefusal | null> {
    const refused = await refusal();
    if (refused !== null || stopping.signal.aborted) return refused;
    await storage.transaction(({ operatorLog }) =>
      operatorLog.append({
        ...{ at: Date.now(), operator, action: 'sample.fill', target: 'markets' },
        details: { seed: DEFAULT_SEED },
      }),
    );
    state = { ...IDLE, state: 'running' };
    filling = fill().then(
      (filled) => void (state = { ...state, state: 'done', filled }),
      (error: unknown) => {
        state = { ...state, state: 'failed', message: messageOf(error, stopping.signal) };
        if (!stopping.signal.aborted) logger.error({ err: error }, 'the sample markets could not be made');
      },
    );
    return null;
  }

  async function fill(): Promise<Filled> {
    const { fillEmptyBooks } = await import('./empty-books');
    const clock = testClock(Date.now());
    const past = marketAt(clock);
    try {
      await past.start({ jobs: false });
      const { booksAgree, ...filled } = await fillEmptyBooks({
        ...{ market: past, clock, seed: DEFAULT_SEED, signal: stopping.signal },
        async onHour(done, total) {
          state = { ...state, done, total };
          // A storage in memory never waits, so without this pause no request would be served until the end.
          await nextTurn();
        },
      });
      if (!booksAgree) throw new Error('the audit found differences');
      return filled;
    } finally {
      await past.close();
    }
  }

  return {
    state: () => state,
    refusal,
    start(operator) {
      if (state.state === 'running') return Promise.resolve(null);
      starting ??= begin(operator).finally(() => (starting = null));
      return starting;
    },
    async stop() {
      stopping.abort();
      await starting?.catch(() => undefined);
      await filling;
    },
  };
}

function messageOf(error: unknown, stopping: AbortSignal): string {
  if (stopping.aborted) return 'The server was stopped meanwhile.';
  const reason = isPredictionMarketError(error) ? error.message : 'The log of the server says why';
  return `${reason.replace(/\.$/, '')}. What was made until then is in the database.`;
}
