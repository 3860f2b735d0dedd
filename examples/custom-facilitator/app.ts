import express, { type Express } from 'express';
import type { PredictionMarket } from 'express-prediction-market';

/** The paid calls are below /api/v2/x402. `GET /api/v2/x402/info` lists them with their prices. */
export function createApp(pm: PredictionMarket): Express {
  const app = express();
  app.use(pm.router);
  return app;
}
