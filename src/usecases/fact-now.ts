import { PredictionMarketError } from '../domain/errors';
import { LOOK_AGAIN_MS } from '../ports/clock';
import type { Context } from './context';

/**
 * The instant for a new fact of a market. The facts of a market never go back in time (`factTime`), so one
 * fact with a time in the future would give that time to each later fact of the market until the clock reaches it.
 * Throws SERVICE_UNAVAILABLE while the clock may be wrong.
 */
export function factNow({ clock, clockIsSteady }: Pick<Context, 'clock' | 'clockIsSteady'>): number {
  // The time is read before the check, so that the check notices a jump that happened before the reading.
  const now = clock.now();
  if (clockIsSteady()) return now;
  throw new PredictionMarketError(
    'SERVICE_UNAVAILABLE',
    'The clock of this instance has just jumped; nothing was done. Try again in a few seconds.',
    { retryAfterSeconds: LOOK_AGAIN_MS / 1_000 },
  );
}
