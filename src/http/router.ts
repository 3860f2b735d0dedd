/**
 * Makes an Express router from a table of routes. Express tries the routes one after another, which takes some
 * microseconds for each request. Requests for a path without parameters therefore go straight to their endpoint. Every
 * other request, and every other spelling of such a path, takes the way of Express.
 */
import express, { type RequestHandler, type Router } from 'express';
import { createEndpoint, type Edge } from './endpoint';
import type { Route } from './route';
import { pathText } from './query-string';

/** The part of Express' routes that a host may read from `request.route`. */
type ExpressRoute = ReturnType<Router['route']>;

interface DirectRoute {
  expressRoute: ExpressRoute;
  endpoint: RequestHandler;
}

/** The routes without parameters: by method, such as `GET`, and then by path, such as `/api/v2/public/balance`. */
type DirectRoutes = ReadonlyMap<string, ReadonlyMap<string, DirectRoute>>;

/** Express tries the routes in the order of the table. `prefix` stands before each path. */
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

/** The router, which looks a request up in `direct` before it tries its routes. */
function withDirectRoutes(router: Router, direct: DirectRoutes): Router {
  const handle: RequestHandler = (request, response, next) => {
    const found = direct.get(request.method)?.get(pathText(request));
    if (found === undefined) return router(request, response, next);
    // What Express sets before it calls an endpoint. A router without an app has no base address.
    request.baseUrl ??= '';
    request.originalUrl ??= request.url;
    request.route = found.expressRoute;
    request.params = {};
    return found.endpoint(request, response, next);
  };
  // A host may add to the router what it likes, as to any other router of Express.
  return Object.setPrototypeOf(handle, router) as Router;
}
