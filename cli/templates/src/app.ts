/** The app: the market's API, the routes of operators, and the pages. */
import { createHash, timingSafeEqual } from 'node:crypto';
import express, { type Express, type RequestHandler } from 'express';
import type { PredictionMarket } from 'express-prediction-market';
// if pages
import { createSite } from 'express-prediction-market/site';
// end
import { createMarket } from './market.ts';
// if pages
import { playMoney } from './payments.ts';
// end

export interface AppOptions {
  /** Requests with this token may use the operators' routes. */
  adminToken: string;
  /** Default: the market that the environment describes. Tests give their own. */
  market?: PredictionMarket;
}

export interface App {
  app: Express;
  market: PredictionMarket;
}

export function createApp({ adminToken, market = createMarket() }: AppOptions): App {
  const app = express();
  app.disable('x-powered-by');
  // Behind a proxy, uncomment this line. Otherwise all callers share the limits of one address.
  // app.set('trust proxy', 1);
  app.use('/api/v2/admin', requireToken(adminToken), market.adminRouter);
  app.use(market.router); // answers /api/v2/*; other paths go on to your own routes
  // if pages
  app.use(createSite(market, { playMoney, adminUrl: '/api/v2/admin' })); // the pages, and those of operators
  // end
  return { app, market };
}

const REFUSED = 'The admin token is missing or wrong: send it as "Authorization: Bearer <token>".';

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** The digests have the same length for every token, so they can be compared in constant time. */
function requireToken(token: string): RequestHandler {
  const expected = digest(`Bearer ${token}`);
  return (request, response, next) => {
    if (timingSafeEqual(digest(request.headers.authorization ?? ''), expected)) next();
    else response.status(401).json({ error: REFUSED, code: 'UNAUTHORIZED' });
  };
}
