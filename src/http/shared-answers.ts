import { setImmediate as nextTurn } from 'node:timers/promises';
import { withinTime } from '../ports/time-limit';
import { pauseTimers, type Timers } from '../ports/timers';

/** How long an answer waits for an earlier one, so that a storage that hangs holds no later request back. */
const LONGEST_WAIT_MS = 1_000;

/**
 * How long an answer that had to wait for an earlier one waits for further requests. Under load an answer then serves
 * many of them; a request that comes alone does not wait.
 */
const GATHERING_MS = 2;

/**
 * Makes an answer once for many equal requests. `key` names all that the answer depends on. Nothing is cached:
 * a request gets an answer that was begun after the request has arrived.
 */
export type SharedAnswers = (key: string, make: () => Promise<Buffer>) => Promise<Buffer>;

/**
 * One answer of a key is in work at a time. Requests that arrive meanwhile share the next answer, as the orders of a
 * batch share a transaction. A lone request waits for one turn of the event loop.
 */
export function sharedAnswers(timers: Timers = pauseTimers): SharedAnswers {
  /** Answers that have not begun, so a request may still join. Both maps are as small as the requests in work. */
  const waiting = new Map<string, Promise<Buffer>>();
  /** Answers in work. These promises never reject. */
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
