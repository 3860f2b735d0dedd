/** Routes as data. The Express router and the OpenAPI document are built from the same table of routes. */
import type { Request, Response } from 'express';
import type Joi from 'joi';
import type { ErrorCode } from '../domain/errors';
import type { ApiKey, Scope } from '../domain/types';
import type { AnswerName } from '../views/answers.schema';
import type { Shortcut } from '../schemas/parse';
import type { Context, OperatorContext } from '../usecases/context';
import type { QuotaFigures } from './admission/quota';

/**
 * The group of a route decides, among other things, whether every request needs a key (as in `public`), whether
 * requests are counted, and the form of errors.
 */
export type RouteGroup = 'auth' | 'creator' | 'public' | 'live' | 'x402' | 'admin' | 'documents';
export type Method = 'get' | 'post' | 'patch' | 'delete';

export interface PathParameter<Param> {
  name: string;
  /** The schema of the parameter, for the OpenAPI document. */
  schema: Joi.Schema;
  description: string;
  parse(text: string): Param;
}

export interface ParsedRequest<Group extends RouteGroup, Body, Query, Param> {
  context: Group extends 'admin' ? OperatorContext : Context;
  request: Request;
  response: Response;
  key: Group extends 'public' ? ApiKey : ApiKey | null;
  /** The caller's quota after this request. `null` if the request is not counted. */
  figures: QuotaFigures | null;
  body: Body;
  query: Query;
  param: Param;
}

export interface Route<
  Group extends RouteGroup = RouteGroup,
  Body = unknown,
  Query = unknown,
  Param = unknown,
> {
  method: Method;
  /** The path below `/api/v2`, or below the mount path of the admin router. */
  path: string;
  summary: string;
  description?: string;
  group: Group;
  scope?: Scope;
  body?: Joi.Schema<Body>;
  /** Reads ordinary bodies without the schema, with the same result. */
  bodyShortcut?: Shortcut<Body>;
  query?: Joi.Schema<Query>;
  param?: PathParameter<Param>;
  /** The request headers that the route reads, for the OpenAPI document. */
  headers?: readonly { name: string; schema: Joi.Schema; description: string }[];
  /**
   * The status of a successful answer and what is sent with it: a view as JSON, or, without a view, text of the
   * type `contentType`.
   */
  success: {
    status: number;
    view?: AnswerName;
    contentType?: string;
    headers?: Readonly<Record<string, string>>;
  };
  /** The errors of this route. The errors of its group and of its inputs are added. */
  errors: readonly ErrorCode[];
  /**
   * Set for a paid call. The handler of a paid call reads query and body itself, because most requests without
   * a payment are answered without reading them.
   */
  paid?: true;
  /** Resolves to a view (which is sent with `success.status`), to a `RawAnswer`, or to `ANSWERED`. */
  handler(call: ParsedRequest<Group, Body, Query, Param>): Promise<unknown> | unknown;
}

/**
 * Lets the compiler check the handler against the types of the route's schemas. The result has the same type
 * for all routes, so that a table can hold all routes.
 */
export function defineRoute<Group extends RouteGroup, Body = undefined, Query = undefined, Param = undefined>(
  route: Route<Group, Body, Query, Param>,
): Route {
  return route;
}

const ADMITTED_GROUPS: ReadonlySet<RouteGroup> = new Set(['auth', 'creator', 'public']);

/**
 * Whether requests of this group are counted and throttled, and whether their answers carry the rate-limit
 * headers.
 */
export function needsAdmission(group: RouteGroup): boolean {
  return ADMITTED_GROUPS.has(group);
}
