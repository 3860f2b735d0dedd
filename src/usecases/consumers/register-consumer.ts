import { PredictionMarketError } from '../../domain/errors';
import type { EventStart } from '../../domain/event-position';
import type { Context } from '../context';
import { startPosition } from '../facts/read-facts';

const MOST_CONSUMERS = 100;

/** Stores a new consumer. A consumer that is stored already keeps its position. */
export async function registerConsumer(
  { storage, clock }: Pick<Context, 'storage' | 'clock'>,
  { name, from }: { name: string; from: EventStart },
): Promise<void> {
  await storage.transaction(async (transaction) => {
    if ((await transaction.consumers.find(name)) !== null) return;
    if ((await transaction.consumers.list()).length >= MOST_CONSUMERS) {
      throw new PredictionMarketError(
        'CONSUMER_LIMIT_REACHED',
        `There are ${MOST_CONSUMERS} consumers: remove those that are no longer used`,
      );
    }
    const now = clock.now();
    await transaction.consumers.insert({
      name,
      ...(await startPosition(transaction, from)),
      token: 0,
      owner: null,
      ownedUntil: 0,
      failures: 0,
      lastError: null,
      createdAt: now,
      updatedAt: now,
    });
  });
}
