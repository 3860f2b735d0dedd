import express, { type Express } from 'express';
import type { PredictionMarket } from 'express-prediction-market';

/** `instance` names the process in the answers, to show which one the proxy has chosen. */
export function createApp(pm: PredictionMarket, instance: string): Express {
  const app = express();
  // One proxy is in front of the instances. Without this line all callers would count as one address.
  app.set('trust proxy', 1);
  app.use((_request, response, next) => {
    response.set('X-Instance', instance);
    next();
  });
  app.use(pm.router);
  return app;
}
