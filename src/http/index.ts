import type { Request, RequestHandler, Router } from 'express';
import type { Logger, SetUpMistake } from '../ports/logger';
import type { RateLimitBackend } from '../ports/rate-limit';
import type { AuthThrottle } from '../rate-limit/auth-throttle';
import type { Context } from '../usecases/context';
import type { TradeQueue } from '../usecases/trading/trade-queue';
import type { Edge } from './endpoint';
import { createErrorHandler, createFallback } from './fallback';
import type { KeyAuthenticator } from '../usecases/keys/key-authenticator';
import { createAdmission, type Admission } from './admission/admission';
import { operatorOf, type OperatorName } from './operator-name';
import type { Route } from './route';
import { createRouter } from './router';
import { accountRoutes } from './routes/account';
import { operatorRoutes } from './routes/operators';
import { authRoutes } from './routes/auth';
import { creatorRoutes } from './routes/creator';
import { API_PREFIX, OPERATORS_PREFIX } from './prefix';
import { documentRoutes, operatorsDocumentRoute, type DocumentSources } from './routes/documents';
import { marketRoutes } from './routes/markets';
import { streamRoutes, type StreamOpener } from './routes/stream';
import { tradeRoutes } from './routes/trades';
import { withdrawalRoutes } from './routes/withdrawals';
import { paidRoutes } from './routes/x402';
import type { PaidRouteDependencies } from './x402/paid-route';
import { createPaymentMeter, type PaymentMeter } from './x402/payment-meter';

const MOUNTED_TWICE = `the router is mounted at a path that ends with ${API_PREFIX}, so its routes begin with ${API_PREFIX}${API_PREFIX}. The router brings this prefix: app.use(pm.router)`;

const OPERATORS_AT_ROOT = `the operators' router is mounted without a path, so it answers every address of the app. It has no check of its own: mount it at a path behind yours, such as app.use('/ops', onlyOperators, pm.adminRouter)`;

export interface HttpDependencies extends DocumentSources, Omit<PaidRouteDependencies, 'meter'> {
  context: Context;
  isStarted(): boolean;
  keys: KeyAuthenticator;
  queue: TradeQueue;
  streams: StreamOpener;
  rateLimit: RateLimitBackend;
  operatorName: OperatorName | undefined;
  /** The sockets share this throttle. */
  throttle: AuthThrottle;
}

export interface HttpRouters {
  /** Serves `/api/v2/*` except the operators' routes, and lets every other path through. */
  router: Router;
  /**
   * The operators' routes. Their paths are relative to the host's mount path, and the host decides who may use
   * them.
   */
  adminRouter: Router;
}

export function createHttpRouter(dependencies: HttpDependencies): HttpRouters {
  const { context, queue } = dependencies;
  const edge: Edge = {
    context,
    admission: admissionOf(dependencies),
    isStarted: () => dependencies.isStarted(),
    operatorOf: (request) => operatorOf(dependencies.operatorName, request),
  };
  // Express tries routes in this order, so the routes with the most requests come first.
  const routes: Route[] = [
    ...marketRoutes(),
    ...tradeRoutes(queue),
    ...accountRoutes(),
    ...withdrawalRoutes(context.config),
    ...authRoutes(),
    ...creatorRoutes(),
    ...streamRoutes(dependencies.streams),
    ...paidRoutes(context.config, { ...dependencies, meter: meterOf(dependencies) }),
  ];
  routes.push(...documentRoutes(context, dependencies, routes));
  const operators = operatorRoutes(context.config);
  operators.push(operatorsDocumentRoute(context, operators));
  return {
    router: publicRouter(routes, edge, context.logger),
    adminRouter: operatorsRouter(operators, edge, context.logger),
  };
}

function admissionOf(dependencies: HttpDependencies): Admission {
  const { context, keys, rateLimit, throttle } = dependencies;
  return createAdmission({
    keys,
    rateLimit,
    throttle,
    clock: context.clock,
    addressRateLimit: context.config.addressRateLimit,
    isStarted: () => dependencies.isStarted(),
  });
}

function meterOf({ context, rateLimit }: HttpDependencies): PaymentMeter {
  const { refusedPaymentLimit, paymentsInWorkLimit } = context.config;
  return createPaymentMeter({
    rateLimit,
    clock: context.clock,
    refusedLimit: refusedPaymentLimit,
    inWorkLimit: paymentsInWorkLimit,
  });
}

function publicRouter(routes: readonly Route[], edge: Edge, logger: Logger): Router {
  const router = createRouter(API_PREFIX, routes, edge);
  router.use(OPERATORS_PREFIX, (_request, _response, next) => next('router'));
  router.use(API_PREFIX, createFallback(routes, edge), createErrorHandler(routes, edge));
  router.use(
    warnOnce(logger, { setUp: 'MOUNTED_TWICE' }, MOUNTED_TWICE, ({ baseUrl }) =>
      baseUrl.endsWith(API_PREFIX),
    ),
  );
  return router;
}

/** Warns once about a mistake in the host's set-up that a request shows. */
function warnOnce(
  logger: Logger,
  mistake: SetUpMistake,
  warning: string,
  isMistaken: (request: Request) => boolean,
): RequestHandler {
  let isTold = false;
  return (request, _response, next) => {
    if (!isTold && isMistaken(request)) {
      isTold = true;
      logger.warn(mistake, warning);
    }
    next();
  };
}

function operatorsRouter(routes: readonly Route[], edge: Edge, logger: Logger): Router {
  const router = createRouter('', routes, edge);
  router.use(
    warnOnce(logger, { setUp: 'OPERATORS_AT_ROOT' }, OPERATORS_AT_ROOT, ({ baseUrl }) => baseUrl === ''),
  );
  router.use(createFallback(routes, edge), createErrorHandler(routes, edge));
  return router;
}
