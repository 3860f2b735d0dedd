/** The Express app of the standalone server: what it mounts, and in which order. */
import express, { Router, type ErrorRequestHandler, type Express, type RequestHandler } from 'express';
import helmet from 'helmet';
import type { Logger } from 'pino';
import {
  requireToken,
  type Clock,
  type PredictionMarket,
  type RateLimitBackend,
  type RequireTokenOptions,
} from 'express-prediction-market';
import { createDocs, createSite } from 'express-prediction-market/site';
import type { Metrics } from './metrics';
import { requestLogging } from './request-log';
import { createSampleRoutes } from './sample/routes';
import { samplesRefusal, type Samples } from './sample/samples';
import type { Settings } from './settings';
import { nameRoute } from './operator-route';
import { watchWrongTokens } from './wrong-tokens';

interface Mounted {
  settings: Settings;
  /** The operators' token without a name. `null`: there is none. */
  adminToken: string | null;
  market: PredictionMarket;
  samples: Samples;
  metrics: Metrics;
  /** Where wrong tokens are counted. */
  rateLimit: RateLimitBackend;
  logger: Logger;
  /** The clock of the pages. `undefined`: the clock of the machine. */
  clock: Clock | undefined;
}

export interface HostApp {
  app: Express;
  /** From now on every answer asks the client to close the connection. */
  startDraining(): void;
}

export function createHostApp(mounted: Mounted): HostApp {
  const { settings, metrics, logger } = mounted;
  let draining = false;
  const app = express();
  app.disable('x-powered-by');
  app.set('trust proxy', settings.trustProxy);
  if (settings.trustProxy === false) app.use(noticeOfProxy(logger));
  app.use(metrics.observeRequests, requestLogging(logger), securityHeaders());
  app.use((_request, response, next) => {
    if (draining) response.set('Connection', 'close');
    next();
  });
  app.use(metricsRoute(mounted));
  // Load balancers and orchestrators ask these paths at the root.
  for (const path of ['/health', '/ready']) app.get(path, servedAs(`/api/v2${path}`));
  mountMarket(app, mounted);
  mountPages(app, mounted);
  app.use(lastResort(logger));
  return { app, startDraining: () => void (draining = true) };
}

/**
 * Warns once if a request has the header `X-Forwarded-For`, which proxies set. Without `TRUST_PROXY`, all callers
 * behind a proxy share the limits of one address.
 */
function noticeOfProxy(logger: Logger): RequestHandler {
  let isTold = false;
  return (request, _response, next) => {
    if (!isTold && request.headers['x-forwarded-for'] !== undefined) {
      isTold = true;
      logger.warn(
        {},
        'a request came with X-Forwarded-For, and TRUST_PROXY is not set: behind a proxy all callers share one rate limit',
      );
    }
    next();
  };
}

function mountMarket(app: Express, mounted: Mounted): void {
  const { settings, adminToken, market, samples, metrics, logger, clock } = mounted;
  const tokens = { token: adminToken ?? undefined, tokens: settings.adminTokens ?? undefined };
  const onWrongToken = watchWrongTokens({ count: metrics.countWrongToken, logger, clock });
  app.use(
    '/api/v2/admin',
    nameRoute(market.adminRouter),
    requireToken({ ...tokens, onWrongToken, ...counting(mounted) }),
  );
  app.use('/api/v2/admin/sample', createSampleRoutes(samples));
  app.use('/api/v2/admin', market.adminRouter);
  app.use(market.router);
}

function mountPages(app: Express, { settings, market, clock }: Mounted): void {
  app.use('/docs', createDocs({ catchAll: true }));
  app.use(
    createSite(market, {
      ...(settings.siteUrl !== undefined && { siteUrl: settings.siteUrl }),
      ...(settings.embedAncestors !== undefined && { embedAncestors: settings.embedAncestors }),
      adminUrl: '/api/v2/admin',
      playMoney: settings.facilitator.kind === 'development',
      sampleMarkets: samplesRefusal(settings) === null,
      catchAll: true,
      ...(clock !== undefined && { now: () => clock.now() }),
    }),
  );
}

/**
 * The router is case-sensitive and strict: a path that a balancer hides from the public must not be served
 * under another spelling.
 */
function metricsRoute(mounted: Mounted): Router {
  const token = mounted.settings.metricsToken;
  const router = Router({ caseSensitive: true, strict: true });
  const named = { name: 'metrics', realm: 'metrics' };
  const guards = token === null ? [] : [requireToken({ token, ...named, ...counting(mounted) })];
  router.get('/metrics', ...guards, mounted.metrics.serve);
  return router;
}

/** How wrong tokens are counted. */
function counting({ settings, rateLimit, clock }: Mounted): Omit<RequireTokenOptions, 'token' | 'tokens'> {
  return { rateLimit, failedAuthLimit: settings.failedAuthLimit, ...(clock !== undefined && { clock }) };
}

/**
 * The headers allow no inline code and no outside sources: the pages have their own script and style sheet.
 */
function securityHeaders(): RequestHandler {
  return helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'"],
        imgSrc: ["'self'", 'data:'],
        connectSrc: ["'self'"],
        formAction: ["'self'"],
        baseUri: ["'none'"],
        frameAncestors: ["'none'"],
      },
    },
  });
}

function servedAs(path: string): RequestHandler {
  return (request, _response, next) => {
    request.url = path;
    next();
  };
}

/** Answers an unexpected error without a stack trace. */
function lastResort(logger: Logger): ErrorRequestHandler {
  return (error: unknown, _request, response, next) => {
    logger.error({ err: error }, 'a request failed');
    if (response.headersSent) {
      next(error);
      return;
    }
    response.status(500).type('text/plain').send('Something went wrong on our side.\n');
  };
}
