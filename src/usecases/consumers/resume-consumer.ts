import type { ConsumerView } from '../../views/consumer';
import type { ResumeConsumerCommand } from '../commands';
import type { OperatorContext } from '../context';
import { logAct } from '../operators/log-act';
import { newestPosition, startPosition } from '../facts/read-facts';
import { checkFirstFact } from '../facts/first-fact';
import { getConsumer } from './list-consumers';
import { noSuchConsumer } from './no-such-consumer';

/**
 * Moves the position of a consumer, forward or back. The token rises, so the present owner stops, and the next owner
 * begins at the new position. Rejects with NOT_FOUND, FACTS_REMOVED, or VALIDATION_ERROR for a number above that
 * of the next fact.
 */
export async function resumeConsumer(
  context: OperatorContext,
  { name, from, seq }: ResumeConsumerCommand,
): Promise<ConsumerView> {
  const { storage, clock } = context;
  await storage.transaction(async (transaction) => {
    const consumer = await transaction.consumers.lock(name);
    if (consumer === null) throw noSuchConsumer();
    if (seq !== null) await checkFirstFact(transaction, seq);
    const { epoch } = await newestPosition(transaction);
    const position = seq === null ? await startPosition(transaction, from ?? 'now') : { epoch, seq: seq - 1 };
    await transaction.consumers.update({
      ...consumer,
      ...position,
      token: consumer.token + 1,
      failures: 0,
      updatedAt: clock.now(),
    });
    await logAct(context, transaction, { action: 'consumer.resume', target: name, details: { from, seq } });
  });
  return getConsumer(context, name);
}
