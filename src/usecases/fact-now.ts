import { PredictionMarketError } from '../domain/errors';
import type { Context } from './context';

/** Of the monotonic clock, from a jump of the clock to the look that counts. */
export const LOOK_AGAIN_MS = 5_000;

/**
 * The time of a fact that a market keeps. A market's time never runs back, so that a fact with a time in the future would give that
 * time to all facts after it: rejects with SERVICE_UNAVAILABLE while the clock is not known to be right.
 */
export function factNow({ clock, clockIsSteady }: Pick<Context, 'clock' | 'clockIsSteady'>): number {
  // Read before the look, which therefore sees every jump that this reading has.
  const now = clock.now();
  if (clockIsSteady()) return now;
  throw new PredictionMarketError(
    'SERVICE_UNAVAILABLE',
    'The clock of this instance has just jumped; nothing was done. Try again in a few seconds.',
    { retryAfterSeconds: LOOK_AGAIN_MS / 1_000 },
  );
}
