import { validationError, PredictionMarketError } from '../../domain/errors';
import type { Reader } from '../../ports/storage';
import { newestPosition } from './read-facts';

/**
 * Checks `seq`, which an operator chose as the first fact for a webhook or a consumer. Rejects with
 * VALIDATION_ERROR for a number above that of the next fact, and with FACTS_REMOVED for a fact that was removed
 * because of its age.
 */
export async function checkFirstFact(reader: Reader, seq: number): Promise<void> {
  const newest = await newestPosition(reader);
  if (seq > newest.seq + 1) {
    const message = `seq must be at most ${newest.seq + 1}, which is the number of the next fact`;
    throw validationError([{ field: 'seq', message }]);
  }
  const [next] = await reader.events.after(seq - 1, 1);
  if (seq > newest.seq || next?.seq === seq) return;
  throw new PredictionMarketError(
    'FACTS_REMOVED',
    `Fact ${seq} was removed because of its age; the oldest one has the number ${next?.seq ?? newest.seq + 1}`,
  );
}
