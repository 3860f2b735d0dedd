/** The app under test: a host with one route of its own beside the market. */
import express, { type Express } from 'express';
import type { PredictionMarket } from 'express-prediction-market';

/** The app takes the prediction market, so that a test can give it another one than main.ts does. */
export function createApp(pm: PredictionMarket): Express {
  const app = express();
  app.use(pm.router);

  /** The questions that traders think are almost decided. */
  app.get('/favourites', async (_request, response) => {
    const { markets } = await pm.listMarkets({ status: 'open', limit: 100 });
    const sure = markets.filter(({ yesPrice }) => yesPrice >= 0.6 || yesPrice <= 0.4);
    response.json(sure.map(({ question, yesPrice }) => ({ question, yesPrice })));
  });
  return app;
}
