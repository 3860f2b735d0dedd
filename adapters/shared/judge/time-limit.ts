import { StoppedError } from './errors';

/** Aborted when the caller's signal is, and at the latest after `timeoutMs`. */
export function timeLimit(timeoutMs: number, signal: AbortSignal | undefined): AbortSignal {
  const own = AbortSignal.timeout(timeoutMs);
  return signal === undefined ? own : AbortSignal.any([signal, own]);
}

/** The outcome of the work, or a `StoppedError` as soon as the signal is aborted: the work may not listen to it. */
export async function unlessAborted<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  if (signal.aborted) throw new StoppedError();
  let stop = (): void => undefined;
  const stopped = new Promise<never>((_resolve, reject) => {
    stop = () => reject(new StoppedError());
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([work(), stopped]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
