import express, { type Express } from 'express';
import type { PredictionMarket } from 'express-prediction-market';
import type { FeeBook } from './fee-book.js';

export function createApp(pm: PredictionMarket, fees: FeeBook): Express {
  const app = express();
  app.use(pm.router);
  app.get('/billing/total', async (_request, response) => {
    response.json({ usd: (await fees.total()) / 1_000_000 });
  });
  return app;
}
