/**
 * Makes an Express router from a table of routes. Requests for a path without parameters go straight to their
 * endpoint, which is faster: Express tries the routes one after another. For every other request, and for every other
 * spelling of such a path, Express finds the route.
 */
import express, { type RequestHandler, type Router } from 'express';
import { createEndpoint, type Edge } from './endpoint';
import type { Route } from './route';
import { pathText } from './query-string';

/** What Express stores in `request.route`. Middleware of the host may read it there. */
type ExpressRoute = ReturnType<Router['route']>;

interface DirectRoute {
  expressRoute: ExpressRoute;
  endpoint: RequestHandler;
}

/** The routes without parameters: by method, such as `GET`, and then by path, such as `/api/v2/public/balance`. */
type DirectRoutes = ReadonlyMap<string, ReadonlyMap<string, DirectRoute>>;

/** Express tries the routes in the order of the table. `prefix` is put before the path of each route. */
export function createRouter(prefix: string, routes: readonly Route[], edge: Edge): Router {
  // The router is case-sensitive, because the group of a request is read from the spelling of its path.
  const router = express.Router({ caseSensitive: true });
  const direct = new Map<string, Map<string, DirectRoute>>();
  for (const route of routes) {
    const path = prefix + route.path;
    const endpoint = createEndpoint(route, edge);
    const expressRoute = router.route(path);
    expressRoute[route.method](endpoint);
    if (path.includes(':')) continue;
    const method = route.method.toUpperCase();
    const ofMethod = direct.get(method) ?? new Map<string, DirectRoute>();
    direct.set(method, ofMethod.set(path, { expressRoute, endpoint }));
  }
  return withDirectRoutes(router, direct);
}

function withDirectRoutes(router: Router, direct: DirectRoutes): Router {
  const handle: RequestHandler = (request, response, next) => {
    const found = direct.get(request.method)?.get(pathText(request));
    if (found === undefined) return router(request, response, next);
    // Express sets these properties before it calls an endpoint. Without an app, the first two are missing.
    request.baseUrl ??= '';
    request.originalUrl ??= request.url;
    request.route = found.expressRoute;
    request.params = {};
    return found.endpoint(request, response, next);
  };
  // `handle` inherits the methods of the router, so a host may add middleware and routes to it.
  return Object.setPrototypeOf(handle, router) as Router;
}
