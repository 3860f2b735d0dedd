import type { ExecutedTrade } from '../../../src/client';
import { client } from '../client';
import type { PendingOrder } from './pending-order';

export async function placeOrder(
  market: string,
  { body, idempotencyKey }: PendingOrder,
): Promise<ExecutedTrade> {
  // No retries: the trader decides whether the order is sent again.
  const trade: Partial<ExecutedTrade> = await client.trades.place(market, body, {
    idempotencyKey,
    retry: { attempts: 1 },
  });
  // An answer may be cut off. When the same order is sent again, the service repeats the whole answer.
  if (!isWhole(trade)) throw new Error('The answer did not arrive whole.');
  return trade;
}

function isWhole(trade: Partial<ExecutedTrade>): trade is ExecutedTrade {
  return trade.id !== undefined && trade.position !== undefined;
}
