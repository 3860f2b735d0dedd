import { PredictionMarketError } from '../domain/errors';
import { LOOK_AGAIN_MS } from '../ports/clock';
import type { Context } from './context';

/**
 * The instant for a new fact. Throws SERVICE_UNAVAILABLE for some seconds after a jump of the clock, because the clock
 * may then be wrong. A fact with a time in the future would give this time to the market's next facts (`factTime`).
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
