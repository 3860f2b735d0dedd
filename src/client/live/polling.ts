/** Reads the data of a page every few seconds while there is neither a socket nor a stream. */
import type { Timers } from './link';

const ASK_MS = 3_000;
/** After each failure the wait doubles, at most this many times. */
const MOST_DOUBLINGS = 4;

export interface PollingPorts {
  ask(): Promise<void>;
  timers: Timers;
  /** A hidden page does not read its data. */
  isVisible(): boolean;
  /** Called after each read. */
  changed(): void;
}

export interface Polling {
  /** Reads the data now and every few seconds until `stop`. Failures make the waits longer. */
  start(): void;
  stop(): void;
  isAnswered(): boolean;
}

export function createPolling({ ask, timers, isVisible, changed }: PollingPorts): Polling {
  /**
   * The number of the newest `start`. `null` after `stop`. The answer to a read that began under another number
   * changes nothing.
   */
  let current: number | null = null;
  let starts = 0;
  let failures = 0;
  let answered = false;
  let cancel = (): void => undefined;

  function askAgain(mine: number): void {
    const wait = ASK_MS * 2 ** Math.min(failures, MOST_DOUBLINGS);
    cancel = timers.after(wait, () => askNow(mine));
  }

  function askNow(mine: number): void {
    if (!isVisible()) {
      askAgain(mine);
      return;
    }
    ask().then(
      () => result(mine, true),
      () => result(mine, false),
    );
  }

  function result(mine: number, ok: boolean): void {
    if (current !== mine) return;
    answered = ok;
    failures = ok ? 0 : failures + 1;
    askAgain(mine);
    changed();
  }

  return {
    isAnswered: () => answered,
    start() {
      if (current !== null) return;
      starts += 1;
      current = starts;
      askNow(current);
    },
    stop() {
      cancel();
      current = null;
      answered = false;
      failures = 0;
    },
  };
}
