import { steadyNow, type Clock } from '../ports/clock';
import type { Logger } from '../ports/logger';
import type { Timers } from '../ports/timers';
import { logFailure } from '../usecases/log-failure';

export interface LoopOptions {
  name: string;
  /** The pause between two runs, in milliseconds. A function is called before each pause. */
  intervalMs: number | (() => number);
  /**
   * The use case that the loop runs. Resolves with whether it has to run again at once. It may call
   * `onProgress` after each step of its work.
   */
  run: (signal: AbortSignal, onProgress: () => void) => Promise<boolean>;
  clock: Clock;
  logger: Logger;
  timers: Timers;
}

export interface JobHealth {
  name: string;
  /** When a run last succeeded. Like `runningSince`, it is read from the injected clock, in milliseconds. */
  lastSuccessAt: number | null;
  runningSince: number | null;
  /**
   * When the run under way began or last finished a step, by the monotonic clock if there is one. So a long
   * run can be distinguished from a run that hangs, even if the clock was set meanwhile.
   */
  lastProgressAt: number | null;
  /** The number of failures since the last success. */
  failures: number;
}

export interface Loop {
  /** Runs the use case at once, then after every interval and every wake-up. */
  start(): void;
  /**
   * A hint that there is work. A hint during a run causes another run. While runs fail, a hint does not
   * shorten the pause before the next run.
   */
  wake(): void;
  /**
   * Runs the use case until no work is left, even if the loop was not started. Resolves with whether there was
   * work. Rejects when a run fails.
   */
  runNow(): Promise<boolean>;
  /** Ends the loop. Resolves when the run under way has ended. */
  stop(): Promise<void>;
  health(): JobHealth;
}

/** The longest pause after failures, unless the interval is longer. */
const LONGEST_BACK_OFF_MS = 5_000;

const NOT_RUN_YET = { lastSuccessAt: null, runningSince: null, lastProgressAt: null, failures: 0 };

interface LoopState {
  stopping: AbortSignal;
  /** Whether `wake` was called after the run under way last looked for work. */
  woken: boolean;
  health: JobHealth;
}

/** Runs a use case again and again, never twice at the same time. Failures are logged. */
export function createLoop(options: LoopOptions): Loop {
  const { name, intervalMs, timers } = options;
  const stopping = new AbortController();
  const health: JobHealth = { name, ...NOT_RUN_YET };
  const state: LoopState = { stopping: stopping.signal, woken: false, health };
  let started = false;
  let cancel = (): void => undefined;
  let underWay: Promise<boolean> | null = null;

  function launch(): Promise<boolean> {
    if (stopping.signal.aborted) return Promise.resolve(false);
    cancel();
    underWay ??= runWithHealth(options, state).finally(() => {
      underWay = null;
      // `wake` may have been called after the last run looked for work.
      if (started && state.woken && health.failures === 0) launchUnobserved();
      else schedule();
    });
    return underWay;
  }

  function schedule(): void {
    if (!started || stopping.signal.aborted) return;
    const pause = typeof intervalMs === 'function' ? intervalMs() : intervalMs;
    cancel = timers.after(pauseMs(pause, health.failures), launchUnobserved);
  }

  /** Starts a run. `runWithHealth` logs a failure, and the loop continues. */
  function launchUnobserved(): void {
    launch().catch(() => undefined);
  }

  return {
    start() {
      started = true;
      launchUnobserved();
    },
    wake() {
      state.woken = true;
      if (started && !stopping.signal.aborted && underWay === null && health.failures === 0)
        launchUnobserved();
    },
    async runNow() {
      // The run under way may have looked for work before the caller's work was there.
      await underWay?.catch(() => undefined);
      return launch();
    },
    async stop() {
      stopping.abort();
      cancel();
      await underWay?.catch(() => undefined);
    },
    health: () => ({ ...health }),
  };
}

async function runWithHealth(options: LoopOptions, state: LoopState): Promise<boolean> {
  const { name, clock, logger } = options;
  const { health } = state;
  health.runningSince = clock.now();
  health.lastProgressAt = steadyNow(clock);
  try {
    const hadWork = await runUntilQuiet(options, state);
    health.lastSuccessAt = clock.now();
    health.failures = 0;
    return hadWork;
  } catch (err) {
    health.failures += 1;
    logFailure(logger, err, { job: name, failures: health.failures }, 'a job failed');
    throw err;
  } finally {
    health.runningSince = health.lastProgressAt = null;
  }
}

/** Resolves with whether there was work. */
async function runUntilQuiet({ run, clock, timers }: LoopOptions, state: LoopState): Promise<boolean> {
  const { stopping, health } = state;
  const onProgress = (): void => void (health.lastProgressAt = steadyNow(clock));
  let hadWork = false;
  for (let more = true; more && !stopping.aborted;) {
    state.woken = false;
    more = await run(stopping, onProgress);
    onProgress();
    hadWork ||= more;
    more ||= state.woken;
    if (more) await timers.yieldTurn();
  }
  return hadWork;
}

function pauseMs(intervalMs: number, failures: number): number {
  if (failures === 0) return intervalMs;
  const longest = Math.max(intervalMs, LONGEST_BACK_OFF_MS);
  return Math.min(Math.min(intervalMs, 1_000) * 2 ** failures, longest);
}
