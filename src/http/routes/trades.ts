import { idempotencyKeyHeader, listTradesQuery, parseIdempotencyKey, tradeBody } from '../../schemas/trades';
import { readOrderFast } from '../../schemas/order-reader';
import { listTrades } from '../../usecases/trading/list-trades';
import type { TradeQueue } from '../../usecases/trading/trade-queue';
import { defineRoute, type Route } from '../route';
import { marketParameter } from './parameters';

export function tradeRoutes(queue: TradeQueue): Route[] {
  return [placeTrade(queue), listTradesOfMarket()];
}

function placeTrade(queue: TradeQueue): Route {
  return defineRoute({
    method: 'post',
    path: '/public/markets/:id/trade',
    summary: 'Buy or sell shares',
    description: 'With an Idempotency-Key a repetition answers as the first time and trades once.',
    group: 'public',
    scope: 'trades:create',
    param: marketParameter,
    body: tradeBody,
    bodyShortcut: readOrderFast,
    headers: [
      {
        name: 'Idempotency-Key',
        schema: idempotencyKeyHeader,
        description: 'Per wallet, kept for at least 24 hours',
      },
    ],
    success: {
      status: 201,
      view: 'ExecutedTrade',
      headers: { 'Idempotency-Replayed': '`true` when this answers a repetition; absent otherwise' },
    },
    errors: [
      'MARKET_NOT_FOUND',
      'MARKET_CLOSED',
      'INSUFFICIENT_BALANCE',
      'INSUFFICIENT_SHARES',
      'PRICE_LIMIT',
      'SLIPPAGE_EXCEEDED',
      'IDEMPOTENCY_CONFLICT',
    ],
    handler: async ({ request, response, key, param, body }) => {
      const idempotencyKey = parseIdempotencyKey(request.headers['idempotency-key']);
      const placed = await queue.place({ ...body, wallet: key.wallet, market: param, idempotencyKey });
      if (placed.replayed) response.setHeader('Idempotency-Replayed', 'true');
      return placed.view;
    },
  });
}

function listTradesOfMarket(): Route {
  return defineRoute({
    method: 'get',
    path: '/public/markets/:id/trades',
    summary: 'Trades of a market, newest first',
    description: '`total` counts all trades of the market, with any filter.',
    group: 'public',
    scope: 'markets:read',
    param: marketParameter,
    query: listTradesQuery,
    success: { status: 200, view: 'TradeList' },
    errors: ['MARKET_NOT_FOUND'],
    handler: ({ context, param, query }) => listTrades(context, { ...query, market: param }),
  });
}
