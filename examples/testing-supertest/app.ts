/** The app under test: a host with one route of its own beside the market. */
import express, { type Express } from 'express';
import type { PredictionMarket } from 'express-prediction-market';

/** Takes the market as an argument: main.ts passes in the real market, and a test passes in a test market. */
export function createApp(pm: PredictionMarket): Express {
  const app = express();
  app.use(pm.router);

  /** Those of the first 100 open markets in which one side costs at least 0.60. */
  app.get('/favourites', async (_request, response) => {
    const { markets } = await pm.listMarkets({ status: 'open', limit: 100 });
    const sure = markets.filter(({ yesPrice }) => yesPrice >= 0.6 || yesPrice <= 0.4);
    response.json(sure.map(({ question, yesPrice }) => ({ question, yesPrice })));
  });
  return app;
}
