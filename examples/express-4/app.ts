/** A host on Express 4. The market uses the host's own Express, so it runs on Express 4 too. */
import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express';
import { isPredictionMarketError, requireToken, type PredictionMarket } from 'express-prediction-market';

export function createApp(pm: PredictionMarket, operatorsToken: string): Express {
  const app = express();
  // The market works before or after the app's body parsers. It also accepts a body that they have already
  // read.
  app.use(express.json());
  // The market is below a mount path. Set the option `baseUrl` to the address with this path, such as
  // `https://example.com/markets`. Then the messages that wallets sign contain the path too.
  app.use('/markets', pm.router);
  app.use('/ops', requireToken({ token: operatorsToken }), pm.adminRouter);

  app.get(
    '/price/:market',
    forward(async (request, response) => {
      const { yesPrice } = await pm.getPrice({ market: String(request.params['market']) });
      response.json({ yesPrice });
    }),
  );

  app.use(refusals);
  return app;
}

/** Express 4 ignores the promise of a route, so a rejection has to be passed on. Express 5 does it by itself. */
function forward(route: (...given: Parameters<RequestHandler>) => Promise<void>): RequestHandler {
  return (request, response, next) => {
    route(request, response, next).catch(next);
  };
}

const refusals: ErrorRequestHandler = (error: unknown, _request, response, next) => {
  if (!isPredictionMarketError(error)) return next(error);
  response.status(error.status).json({ code: error.code });
};
