/** The app: the market's API, the routes of operators, and the pages. */
import express, { type Express } from 'express';
import { requireToken, type OperatorTokens, type PredictionMarket } from 'express-prediction-market';
// if pages
import { createSite } from 'express-prediction-market/site';
import { playMoney } from './payments.ts';
// end
import { createPm } from './prediction-market.ts';

export interface AppOptions {
  /** Requests with this token may use the operators' routes. */
  adminToken?: string | undefined;
  /** A token for each operator, under the name for the operators' log. */
  adminTokens?: OperatorTokens | undefined;
  /** The number of proxies in front of the app, or their addresses. Default: no proxy. */
  trustProxy?: false | number | string[];
  /** Default: the prediction market that the environment describes. Tests give their own. */
  pm?: PredictionMarket;
}

export interface App {
  app: Express;
  pm: PredictionMarket;
}

export function createApp(options: AppOptions): App {
  const { adminToken, adminTokens, trustProxy = false, pm = createPm() } = options;
  const app = express();
  app.disable('x-powered-by');
  app.set('trust proxy', trustProxy);
  // After 20 wrong tokens in 5 minutes, an address gets 429 for each request without a right token.
  const guard = requireToken({ token: adminToken, tokens: adminTokens });
  app.use('/api/v2/admin', guard, pm.adminRouter);
  app.use(pm.router); // answers /api/v2/*; other paths go on to your own routes
  // if pages
  app.use(createSite(pm, { playMoney, adminUrl: '/api/v2/admin' })); // the pages, and those of operators
  // end
  return { app, pm };
}
