/**
 * Names the route of an operators' request for the metrics before the token is checked. A request with a wrong token
 * never reaches its route.
 */
import type { RequestHandler, Router } from 'express';

/** The fields of an entry in Express's `router.stack` that this file uses. */
interface Layer {
  route?: { path: unknown; methods?: Readonly<Record<string, unknown>> };
  match(path: string): boolean;
}

export function nameRoute(operators: Router): RequestHandler {
  return ({ method, path, baseUrl }, response, next) => {
    const layers = operators.stack as unknown as readonly Layer[];
    const asked = method.toLowerCase();
    const found = layers.find((layer) => layer.route?.methods?.[asked] !== undefined && layer.match(path));
    const template = found?.route?.path;
    if (typeof template === 'string') response.locals['routeTemplate'] = baseUrl + template;
    next();
  };
}
