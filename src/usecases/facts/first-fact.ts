import { validationError, PredictionMarketError } from '../../domain/errors';
import type { Reader } from '../../ports/storage';
import { newestPosition } from './read-facts';

/**
 * Checks the number of a first fact. Rejects for a number that no fact has, unless it is the next number.
 * Rejects for facts that were removed by age.
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
