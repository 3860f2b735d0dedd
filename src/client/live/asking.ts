/** While there is neither socket nor stream, a page asks for its data every few seconds. */
import type { Timers } from './link';

const ASK_MS = 3_000;
/** After each failure the wait doubles, at most so many times. */
const MOST_DOUBLINGS = 4;

export interface AskingPorts {
  /** Reads the data of the page again. */
  ask(): Promise<void>;
  timers: Timers;
  /** A hidden page does not ask. */
  isVisible(): boolean;
  /** Called when an answer has come, and when a request has failed. */
  changed(): void;
}

export interface Asking {
  /** Asks now and every few seconds until `stop`. After a failure it waits longer. */
  start(): void;
  stop(): void;
  /** Whether the last question was answered. */
  isAnswered(): boolean;
}

export function createAsking({ ask, timers, isVisible, changed }: AskingPorts): Asking {
  /** Counts the starts, so that an answer that comes after `stop` changes nothing. */
  let turn: number | null = null;
  let turns = 0;
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
    if (turn !== mine) return;
    answered = ok;
    failures = ok ? 0 : failures + 1;
    askAgain(mine);
    changed();
  }

  return {
    isAnswered: () => answered,
    start() {
      if (turn !== null) return;
      turns += 1;
      turn = turns;
      askNow(turn);
    },
    stop() {
      cancel();
      turn = null;
      answered = false;
      failures = 0;
    },
  };
}
