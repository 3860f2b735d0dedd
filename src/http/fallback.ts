/** Answers requests below our mount path that no route takes. */
import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express';
import { PredictionMarketError } from '../domain/errors';
import { admit, refuse, type Edge } from './endpoint';
import type { Route, RouteGroup } from './route';
import { pathText } from './query-string';
import { answerPreflight } from './x402/cors';

interface MountAddresses {
  groupOf(path: string): RouteGroup | null;
  methodsOf(path: string): string[];
}

/**
 * On a known path, OPTIONS gets 204 and `Allow`, and a wrong method gets 404 and `Allow`, because the table
 * of errors has no 405. An unknown path gets 404. Key, throttle and quota apply as they do for the group of
 * the path.
 */
export function createFallback(routes: readonly Route[], edge: Edge): RequestHandler {
  const addresses = createMountAddresses(routes);
  return (request, response) => {
    void answer(addresses, edge, request, response);
  };
}

/** Answers a path that Express cannot decode, such as `%zz`. */
export function createErrorHandler(routes: readonly Route[], edge: Edge): ErrorRequestHandler {
  const addresses = createMountAddresses(routes);
  // Express recognises an error handler by its four parameters.
  return (error: unknown, request, response, _next) => {
    void answerError(addresses, edge, request, response, error);
  };
}

async function answer(
  addresses: MountAddresses,
  edge: Edge,
  request: Request,
  response: Response,
): Promise<void> {
  const path = pathOf(request);
  const group = addresses.groupOf(path);
  const methods = addresses.methodsOf(path);
  const asksForMethods = request.method === 'OPTIONS' && methods.length > 0;
  try {
    // A preflight request cannot carry a key, so OPTIONS needs none.
    await admit(group, edge, request, response, asksForMethods ? false : undefined);
    if (methods.length > 0) response.setHeader('Allow', methods.join(', '));
    if (group === null && request.method === 'GET' && path === SOCKET_PATH) throw noSocket(request);
    if (!asksForMethods) throw notFound(request, methods);
    if (group === 'x402') answerPreflight(response, methods);
    response.statusCode = 204;
    response.setHeader('Cache-Control', 'no-store');
    response.end();
  } catch (error) {
    await refuse(group, edge, request, response, error);
  }
}

async function answerError(
  addresses: MountAddresses,
  edge: Edge,
  request: Request,
  response: Response,
  failure: unknown,
): Promise<void> {
  const group = addresses.groupOf(pathOf(request));
  try {
    await admit(group, edge, request, response);
    throw failure;
  } catch (error) {
    await refuse(group, edge, request, response, error);
  }
}

/** The path below our prefix. A router outside of an Express app has no `request.path`. */
function pathOf(request: Request): string {
  const { path = pathText(request) } = request as Partial<Request>;
  return path;
}

const SOCKET_PATH = '/ws';
/**
 * A Node server without a listener for `upgrade` treats an upgrade request as an ordinary request. Then the
 * upgrade request arrives here.
 */
const NO_SOCKET = 'No WebSocket is attached at this address';
const NO_UPGRADE =
  'This address is for WebSocket clients, and the request asks for no upgrade. A proxy must pass on the headers Upgrade and Connection';

function noSocket({ headers }: Request): PredictionMarketError {
  return new PredictionMarketError('NOT_FOUND', headers.upgrade === undefined ? NO_UPGRADE : NO_SOCKET);
}

function notFound(request: Request, methods: readonly string[]): PredictionMarketError {
  if (methods.length === 0) return new PredictionMarketError('NOT_FOUND', 'There is nothing at this address');
  const offered = methods.join(', ');
  return new PredictionMarketError(
    'NOT_FOUND',
    `There is no ${request.method} at this address, only ${offered}`,
  );
}

function createMountAddresses(routes: readonly Route[]): MountAddresses {
  const known = routes.map((route) => ({
    pattern: new RegExp(`^${route.path.replace(/[.]/g, '\\.').replace(/:\w+/g, '[^/]+')}/?$`),
    methods: route.method === 'get' ? ['GET', 'HEAD'] : [route.method.toUpperCase()],
  }));
  const groups = new Set(routes.map((route) => route.group));
  return {
    groupOf(path) {
      if (groups.has('admin')) return 'admin';
      const first = path.split('/', 2)[1];
      return first === 'auth' || first === 'creator' || first === 'public' || first === 'x402' ? first : null;
    },
    methodsOf(path) {
      const methods = known.filter((entry) => entry.pattern.test(path)).flatMap((entry) => entry.methods);
      return [...new Set([...methods, ...(methods.length > 0 ? ['OPTIONS'] : [])])];
    },
  };
}
