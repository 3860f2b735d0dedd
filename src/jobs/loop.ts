import type { Clock } from '../ports/clock';
import type { Logger } from '../ports/logger';
import type { Timers } from '../ports/timers';

export interface LoopOptions {
  name: string;
  intervalMs: number;
  /** The run-once use case. Fulfils with whether it has to run again at once. Calls `gotOn` after each step of its work. */
  run: (signal: AbortSignal, gotOn: () => void) => Promise<boolean>;
  clock: Clock;
  logger: Logger;
  timers: Timers;
}

export interface JobHealth {
  name: string;
  /** Instants of the injected clock, in milliseconds. */
  lastSuccessAt: number | null;
  runningSince: number | null;
  /** When the run under way last finished a step. It tells a long run from a run that hangs. */
  gotOnAt: number | null;
  /** Failures since the last success. */
  failures: number;
}

export interface Loop {
  /** Runs at once, then after every interval and every wake-up. */
  start(): void;
  /** A hint that there is work. During a run it causes another run; after a failure the back-off still applies. */
  wake(): void;
  /** Runs now, also when not started, until no work is left. Fulfils with whether there was work. Rejects when a run fails. */
  runNow(): Promise<boolean>;
  /** Ends the loop. Fulfils when the run under way has ended. */
  stop(): Promise<void>;
  health(): JobHealth;
}

/** A storage that comes back is noticed within this time, even after a long outage. */
const LONGEST_BACK_OFF_MS = 5_000;

/** Runs a run-once use case again and again, never twice at the same time. Failures are logged. */
export function createLoop({ name, intervalMs, run, clock, logger, timers }: LoopOptions): Loop {
  const stopping = new AbortController();
  let started = false;
  let woken = false;
  let callOff = (): void => undefined;
  let underWay: Promise<boolean> | null = null;
  const health: JobHealth = { name, lastSuccessAt: null, runningSince: null, gotOnAt: null, failures: 0 };

  const gotOn = (): void => void (health.gotOnAt = clock.now());

  async function untilQuiet(): Promise<boolean> {
    health.runningSince = health.gotOnAt = clock.now();
    let any = false;
    try {
      for (let more = true; more && !stopping.signal.aborted;) {
        woken = false;
        more = await run(stopping.signal, gotOn);
        gotOn();
        any ||= more;
        more ||= woken;
        if (more) await timers.yieldTurn();
      }
      health.lastSuccessAt = clock.now();
      health.failures = 0;
      return any;
    } catch (err) {
      health.failures += 1;
      logger.error({ err, job: name, failures: health.failures }, 'a job failed');
      throw err;
    } finally {
      health.runningSince = health.gotOnAt = null;
      underWay = null;
      schedule();
    }
  }

  function launch(): Promise<boolean> {
    if (stopping.signal.aborted) return Promise.resolve(false);
    callOff();
    underWay ??= untilQuiet();
    return underWay;
  }

  function schedule(): void {
    if (!started || stopping.signal.aborted) return;
    callOff = timers.after(health.failures === 0 ? intervalMs : backOffMs(), launchUnobserved);
  }

  function backOffMs(): number {
    const longest = Math.max(intervalMs, LONGEST_BACK_OFF_MS);
    return Math.min(Math.min(intervalMs, 1_000) * 2 ** health.failures, longest);
  }

  /** `untilQuiet` logs failures. The loop goes on. */
  function launchUnobserved(): void {
    launch().catch(() => undefined);
  }

  return {
    start() {
      started = true;
      launchUnobserved();
    },
    wake() {
      woken = true;
      if (started && !stopping.signal.aborted && underWay === null && health.failures === 0)
        launchUnobserved();
    },
    async runNow() {
      // The run under way may have looked before the caller's work was there.
      await underWay?.catch(() => undefined);
      return launch();
    },
    async stop() {
      stopping.abort();
      callOff();
      await underWay?.catch(() => undefined);
    },
    health: () => ({ ...health }),
  };
}
