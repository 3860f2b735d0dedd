import express, { type Express } from 'express';
import type { PredictionMarket } from 'express-prediction-market';

export function createApp(pm: PredictionMarket): Express {
  const app = express();
  app.use(pm.router);
  return app;
}
