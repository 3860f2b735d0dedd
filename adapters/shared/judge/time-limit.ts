import { unlessAborted } from '../../../src/ports/time-limit';
import { StoppedError } from './errors';

/** Aborted when the caller's signal is, and at the latest after `timeoutMs`. */
export function timeLimit(timeoutMs: number, signal: AbortSignal | undefined): AbortSignal {
  const own = AbortSignal.timeout(timeoutMs);
  return signal === undefined ? own : AbortSignal.any([signal, own]);
}

/** The outcome of the work, or a `StoppedError` as soon as the signal is aborted. Work that has not begun then never does. */
export async function unlessStopped<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  if (signal.aborted) throw new StoppedError();
  return unlessAborted(signal, work(), () => new StoppedError());
}
