import { timeoutSignal, unlessAborted } from '../../../src/ports/time-limit';
import { StoppedError } from './errors';

/** A signal that is aborted with the caller's signal, and at the latest after `timeoutMs`. */
export function timeLimit(timeoutMs: number, signal: AbortSignal | undefined): AbortSignal {
  const own = timeoutSignal(timeoutMs);
  return signal === undefined ? own : AbortSignal.any([signal, own]);
}

/**
 * The outcome of the work. Throws a `StoppedError` as soon as the signal is aborted. If the signal is aborted
 * already, the work does not begin.
 */
export async function unlessStopped<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  if (signal.aborted) throw new StoppedError();
  return unlessAborted(signal, work(), () => new StoppedError());
}
