import { PredictionMarketError } from '../../domain/errors';
import type { RemovedConsumerView } from '../../views/consumer';
import type { ConsumerCommand } from '../commands';
import type { OperatorContext } from '../context';
import { logAct } from '../operators/log-act';
import { noSuchConsumer } from './no-such-consumer';

/**
 * Removes a consumer and its parked facts. Rejects with NOT_FOUND, or with CONSUMER_IN_USE while an instance
 * works on the consumer.
 */
export async function removeConsumer(
  context: OperatorContext,
  { name }: ConsumerCommand,
): Promise<RemovedConsumerView> {
  const { storage, clock } = context;
  await storage.transaction(async (transaction) => {
    const consumer = await transaction.consumers.lock(name);
    if (consumer === null) throw noSuchConsumer();
    if (consumer.owner !== null && consumer.ownedUntil > clock.now())
      throw new PredictionMarketError('CONSUMER_IN_USE', `An instance works on the consumer ${name}`);
    await transaction.consumers.remove(name);
    await logAct(context, transaction, { action: 'consumer.remove', target: name });
  });
  return { name, removed: true };
}
