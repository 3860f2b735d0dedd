/** What the store keeps for each source that a component shows. */
import { isPredictionMarketApiError, PredictionMarketApiError, type CallOutcome } from '../errors';
import type { Follower } from '../live/shared-feed';
import type { CallOptions } from '../options';
import type { Cell } from './shown';

export interface Entry<Data> {
  cell: Cell<Data>;
  follower: Follower;
  /** Reads the data once, while there is no live connection. Rejects if that fails. */
  ask(): Promise<void>;
  /** Called when the store drops the entry. */
  end?(): void;
}

/** The store repeats these requests by itself, so the client sends each of them once. */
export const ONCE: CallOptions = { retry: { attempts: 1 } };

/** Returns an error of the client as it is, and converts other errors to one with this `outcome`. */
export function asApiError(error: unknown, outcome: CallOutcome = 'refused'): PredictionMarketApiError {
  if (isPredictionMarketApiError(error)) return error;
  const code = 'UNEXPECTED_ANSWER';
  return new PredictionMarketApiError(String(error), {
    ...{ code, status: 0, outcome, method: 'GET', path: '', attempts: 1 },
    cause: error,
  });
}
