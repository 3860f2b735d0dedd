/** A host on Express 4. The market uses the host's own Express, so it runs on Express 4 too. */
import { createHash, timingSafeEqual } from 'node:crypto';
import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express';
import { isPredictionMarketError, type PredictionMarket } from 'express-prediction-market';

export function createApp(pm: PredictionMarket, operatorsToken: string): Express {
  const app = express();
  // The market works before or after the app's body parsers. It also accepts a body that they have already
  // read.
  app.use(express.json());
  // The market is below a mount path. Set the option `baseUrl` to the address with this path, such as
  // `https://example.com/markets`. Then the messages that wallets sign contain the path too.
  app.use('/markets', pm.router);
  app.use('/ops', requireToken(operatorsToken), pm.adminRouter);

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

function requireToken(token: string): RequestHandler {
  const hash = (text: string): Buffer => createHash('sha256').update(text).digest();
  const expected = hash(`Bearer ${token}`);
  return (request, response, next) => {
    // Hashes of one length are compared in constant time, so that the time of the answer tells nothing about
    // the token.
    if (timingSafeEqual(hash(request.get('Authorization') ?? ''), expected)) next();
    else response.status(401).json({ error: 'Operators only.' });
  };
}

const refusals: ErrorRequestHandler = (error: unknown, _request, response, next) => {
  if (!isPredictionMarketError(error)) return next(error);
  response.status(error.status).json({ code: error.code });
};
