/** The app under test: a host with a page of results beside the market. */
import express, { type Express } from 'express';
import type { PredictionMarket } from 'express-prediction-market';

export function createApp(pm: PredictionMarket): Express {
  const app = express();
  app.use(pm.router);
  app.get('/results', async (_request, response) => {
    const { markets } = await pm.listMarkets({ status: 'resolved', limit: 100 });
    const results = markets.map(async ({ id, question }) => {
      const { resolution } = await pm.getMarket(id);
      return { question, outcome: resolution?.outcome ?? null };
    });
    response.json(await Promise.all(results));
  });
  return app;
}
