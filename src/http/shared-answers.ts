import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * Makes an answer once for many equal requests. `key` names all that the answer depends on. Nothing is cached:
 * a request gets an answer that was begun after the request has arrived.
 */
export type SharedAnswers = (key: string, make: () => Promise<Buffer>) => Promise<Buffer>;

/**
 * One answer of a key is in work at a time. Requests that arrive meanwhile share the next answer, as the orders of a
 * batch share a transaction. A lone request waits for one turn of the event loop.
 */
export function sharedAnswers(): SharedAnswers {
  /** Answers that have not begun, so a request may still join. Both maps are as small as the requests in work. */
  const waiting = new Map<string, Promise<Buffer>>();
  /** Answers in work. These promises never reject. */
  const inWork = new Map<string, Promise<void>>();

  async function answer(key: string, make: () => Promise<Buffer>): Promise<Buffer> {
    await inWork.get(key);
    await nextTurn();
    waiting.delete(key);
    const made = make();
    const end = (): void => void inWork.delete(key);
    inWork.set(key, made.then(end, end));
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
