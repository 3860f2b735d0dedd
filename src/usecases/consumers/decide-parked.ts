import type { ParkedFact } from '../../domain/consumers';
import { PredictionMarketError } from '../../domain/errors';
import type { Transaction } from '../../ports/storage';
import { parkedFactId, type ConsumerView } from '../../views/consumer';
import type { RedoParkedFactsCommand, SkipParkedFactCommand } from '../commands';
import type { OperatorContext } from '../context';
import { logAct } from '../operators/log-act';
import { getConsumer } from './list-consumers';
import { noSuchConsumer } from './no-such-consumer';
import { MOST_PARKED } from './tenure';

/**
 * Makes the owner try one parked fact, or all parked facts, once more. If the handler succeeds, the fact is no
 * longer parked. Rejects with NOT_FOUND.
 */
export async function redoParkedFacts(
  context: OperatorContext,
  { name, fact }: RedoParkedFactsCommand,
): Promise<ConsumerView> {
  await context.storage.transaction(async (transaction) => {
    const parked = await parkedFactsOf(transaction, name);
    const chosen = fact === null ? parked : [theFact(parked, fact)];
    for (const one of chosen) await transaction.consumers.park({ ...one, redo: true });
    const details = { fact, facts: chosen.length };
    if (chosen.length > 0)
      await logAct(context, transaction, { action: 'consumer.redo', target: name, details });
  });
  return getConsumer(context, name);
}

/** Removes a parked fact without another attempt. Rejects with NOT_FOUND. */
export async function skipParkedFact(
  context: OperatorContext,
  { name, fact }: SkipParkedFactCommand,
): Promise<ConsumerView> {
  await context.storage.transaction(async (transaction) => {
    const { seq, epoch } = theFact(await parkedFactsOf(transaction, name), fact);
    await transaction.consumers.unpark({ consumer: name, seq, epoch });
    await logAct(context, transaction, { action: 'consumer.skip', target: name, details: { fact } });
  });
  return getConsumer(context, name);
}

/**
 * Reads the parked facts under the lock of the consumer, so that the owner does not remove a fact while an
 * operator marks it.
 */
async function parkedFactsOf(transaction: Transaction, name: string): Promise<ParkedFact[]> {
  if ((await transaction.consumers.lock(name)) === null) throw noSuchConsumer();
  const query = { consumer: name, limit: MOST_PARKED, offset: 0 };
  return (await transaction.consumers.listParked(query)).parked;
}

function theFact(parked: readonly ParkedFact[], id: string): ParkedFact {
  const found = parked.find((candidate) => parkedFactId(candidate) === id);
  if (found === undefined) throw new PredictionMarketError('NOT_FOUND', 'There is no such parked fact');
  return found;
}
