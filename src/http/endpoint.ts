/** Runs one request through a route: admission, inputs, use case, answer. */
import type { Request, RequestHandler, Response } from 'express';
import { isPredictionMarketError, serviceUnavailable } from '../domain/errors';
import { parseBody } from '../schemas/parse';
import type { Context, OperatorContext } from '../usecases/context';
import { readBody } from './body';
import { sendError, type ErrorForm } from './errors';
import { requireScope, type AdmittedCaller, type Admission } from './admission/admission';
import { needsAdmission, type Route, type RouteGroup } from './route';
import { queryReader } from './query-reader';
import { ANSWERED, RawAnswer, sendJson, sendRaw } from './send';
import { allowAnyOrigin } from './x402/cors';

export interface Edge {
  context: Context;
  admission: Admission;
  isStarted(): boolean;
  /** The name of the operator who sends a request to a route of operators. */
  operatorOf(request: Request): Promise<string>;
}

export function createEndpoint(route: Route, edge: Edge): RequestHandler {
  const queryOf = route.query === undefined ? () => undefined : queryReader(route.query);
  return (request, response) => {
    void serve({ route, queryOf }, edge, request, response);
  };
}

interface Endpoint {
  route: Route;
  queryOf(request: Request): unknown;
}

async function serve(endpoint: Endpoint, edge: Edge, request: Request, response: Response): Promise<void> {
  const { route } = endpoint;
  try {
    const answer = await run(endpoint, edge, request, response);
    if (answer === ANSWERED) return;
    if (answer instanceof RawAnswer) sendRaw(response, answer);
    else sendJson(response, route.success.status, route.group === 'auth' ? wrapped(answer) : answer);
  } catch (error) {
    await refuse(route.group, edge, request, response, error);
  }
}

async function run(
  { route, queryOf }: Endpoint,
  edge: Edge,
  request: Request,
  response: Response,
): Promise<unknown> {
  const caller = await admit(route.group, edge, request, response);
  const key = caller?.key ?? null;
  if (route.scope !== undefined && key !== null) requireScope(key, route.scope);
  const isPaid = route.paid === true;
  const query = isPaid ? undefined : queryOf(request);
  const body = isPaid ? undefined : await readInputBody(route, request, response);
  return route.handler({
    context: await contextOf(route.group, edge, request),
    request,
    response,
    key,
    figures: caller?.figures ?? null,
    param: route.param?.parse(parameterText(request, route.param.name)),
    query,
    body,
  });
}

async function contextOf(
  group: RouteGroup,
  { context, operatorOf }: Edge,
  request: Request,
): Promise<Context | OperatorContext> {
  return group === 'admin' ? { ...context, operator: await operatorOf(request) } : context;
}

async function readInputBody(route: Route, request: Request, response: Response): Promise<unknown> {
  if (route.body === undefined) return undefined;
  return parseBody(route.body, await readBody(request, response), route.bodyShortcut);
}

/**
 * Applies the admission rules of the route's group. Resolves with `null` for the groups that take no API key: `x402`,
 * `admin`, `documents`, and `group === null`, which is a path without a group.
 */
export async function admit(
  group: RouteGroup | null,
  edge: Edge,
  request: Request,
  response: Response,
  keyRequired = group === 'public',
): Promise<AdmittedCaller | null> {
  if (group !== null && needsAdmission(group)) return edge.admission.admit(request, response, keyRequired);
  if (group === 'live') return { key: await edge.admission.recognize(request), figures: null };
  if (group === 'x402') allowAnyOrigin(response);
  if ((group === 'admin' || group === 'x402') && !edge.isStarted())
    throw serviceUnavailable('The service has not started.');
  return null;
}

/** Sends the error. A wrong signature also counts as a failed authentication of the client. */
export async function refuse(
  group: RouteGroup | null,
  edge: Edge,
  request: Request,
  response: Response,
  error: unknown,
): Promise<void> {
  const form: ErrorForm = group === 'auth' ? 'auth' : 'public';
  const { logger } = edge.context;
  if (isPredictionMarketError(error) && error.code === 'INVALID_SIGNATURE') {
    await edge.admission.recordFailure(request).catch((err: unknown) => {
      logger.warn({ err }, 'a failed authentication could not be counted');
    });
  }
  sendError(request, response, error, form, logger);
}

function wrapped(data: unknown): object {
  return { success: true, data };
}

function parameterText(request: Request, name: string): string {
  const text = request.params[name];
  return typeof text === 'string' ? text : '';
}
