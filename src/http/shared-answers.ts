import { setImmediate as nextTurn } from 'node:timers/promises';
import { withinTime } from '../ports/time-limit';
import { pauseTimers, type Timers } from '../ports/timers';

/**
 * An answer waits at most this long for an earlier one. Without this limit, a storage that hangs would block
 * every later request.
 */
const LONGEST_WAIT_MS = 1_000;

/** An answer that had to wait for an earlier one waits this much longer, so that more requests can join it. */
const GATHERING_MS = 2;

/**
 * Makes an answer once for many equal requests. `key` contains everything that the answer depends on. Nothing is
 * cached: every request gets an answer whose making began after the request had arrived.
 */
export type SharedAnswers = (key: string, make: () => Promise<Buffer>) => Promise<Buffer>;

/**
 * Makes one answer of a key at a time. Requests that arrive meanwhile wait for this answer, up to `LONGEST_WAIT_MS`,
 * and share the next answer. If no answer of the key is being made, a request waits for one turn of the event loop
 * only.
 */
export function sharedAnswers(timers: Timers = pauseTimers): SharedAnswers {
  /** Answers whose making has not begun, so a request may still join. */
  const waiting = new Map<string, Promise<Buffer>>();
  /** The answer of each key that is being made now. These promises never reject. */
  const inWork = new Map<string, Promise<void>>();

  async function answer(key: string, make: () => Promise<Buffer>): Promise<Buffer> {
    const earlier = inWork.get(key);
    if (earlier === undefined) await nextTurn();
    else {
      await withinTime(timers, LONGEST_WAIT_MS, earlier).catch(() => undefined);
      await new Promise<void>((resolve) => void timers.after(GATHERING_MS, resolve));
    }
    waiting.delete(key);
    const made = make();
    const end = (): void => {
      if (inWork.get(key) === ended) inWork.delete(key);
    };
    const ended = made.then(end, end);
    inWork.set(key, ended);
    return made;
  }

  return (key, make) => {
    const known = waiting.get(key);
    if (known !== undefined) return known;
    const next = answer(key, make);
    waiting.set(key, next);
    return next;
  };
}
