/** The app with a market in it. Compare it with shop.ts: the login has not changed. */
import express, { type ErrorRequestHandler, type Express } from 'express';
import { isPredictionMarketError, type PredictionMarket } from 'express-prediction-market';
import { createShop, type Account } from './shop.js';

/** `pm` is made in main.ts for the real app, and by `createTestMarket` in tests. */
export function createApp(pm: PredictionMarket, accounts: readonly Account[]): Express {
  const shop = createShop(accounts);
  const app = express();
  app.use(shop.routes);

  // 1. The public API: it answers /api/v2/*, and callers authenticate with API keys. Other paths go on to the app.
  app.use(pm.router);

  // 2. The operators' routes have no authentication of their own, so the app's own check comes before them.
  app.use('/ops', shop.allow('operator'), pm.adminRouter);

  // 3. A route of the app that trades for a user who is logged in. A typed method acts for the wallet that it is
  //    given, so the wallet comes from the session and never from the request.
  app.post('/my/trades', shop.allow('customer'), express.json(), async (request, response) => {
    const { market, side, amount } = (request.body ?? {}) as {
      market: number;
      side: 'YES' | 'NO';
      amount: number;
    };
    const wallet = shop.userOf(request)?.wallet ?? '';
    // The method checks every value as the API does. So the type assertion above is safe for any body.
    const idempotencyKey = request.get('Idempotency-Key');
    const order = { wallet, market, side, amount, ...(idempotencyKey !== undefined && { idempotencyKey }) };
    response.status(201).json(await pm.placeTrade(order));
  });
  app.get('/my/positions', shop.allow('customer'), async (request, response) => {
    response.json(await pm.listPositions({ wallet: shop.userOf(request)?.wallet ?? '' }));
  });

  app.use(refusals);
  return app;
}

/**
 * Answers requests that a typed method has refused. Express 5 passes the rejected promise of a route to this
 * handler.
 */
const refusals: ErrorRequestHandler = (error: unknown, _request, response, next) => {
  if (!isPredictionMarketError(error)) return next(error);
  if (error.status === 503) response.set('Retry-After', String(error.retryAfterSeconds ?? 1));
  // From 500 on the client gets no details, because the message may come from a storage adapter of your own.
  const message = error.status < 500 ? error.message : 'Try again later.';
  response.status(error.status).json({ code: error.code, error: message });
};
