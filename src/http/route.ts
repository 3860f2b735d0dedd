/** Routes as data: the Express router and the OpenAPI document are built from the same table. */
import type { Request, Response } from 'express';
import type Joi from 'joi';
import type { ErrorCode } from '../domain/errors';
import type { ApiKey, Scope } from '../domain/types';
import type { AnswerName } from '../views/answers.schema';
import type { Context } from '../usecases/context';
import type { QuotaFigures } from './rate-limit/quota';

/** Decides who may call (`public` needs a key), whether requests are counted, and the form of errors. */
export type RouteGroup = 'auth' | 'creator' | 'public' | 'x402' | 'admin' | 'documents';
export type Method = 'get' | 'post' | 'patch';

/** A part of the path, such as `:id`. */
export interface PathParameter<Param> {
  name: string;
  /** For the document. */
  schema: Joi.Schema;
  description: string;
  parse(text: string): Param;
}

/** A request that has passed the guard and the schemas. */
export interface ParsedRequest<Group extends RouteGroup, Body, Query, Param> {
  context: Context;
  request: Request;
  response: Response;
  key: Group extends 'public' ? ApiKey : ApiKey | null;
  /** The caller's quota after this request; `null` where requests are not counted. */
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
  /** Below `/api/v2`, or below wherever the host mounts the admin router. */
  path: string;
  summary: string;
  description?: string;
  group: Group;
  scope?: Scope;
  body?: Joi.Schema<Body>;
  query?: Joi.Schema<Query>;
  param?: PathParameter<Param>;
  /** Request headers that the route reads, for the document. */
  headers?: readonly { name: string; schema: Joi.Schema; description: string }[];
  /** The status of success, and what is answered: a view, or a type that is not JSON of ours. */
  success: {
    status: number;
    view?: AnswerName;
    contentType?: string;
    /** Response headers that it may carry, with what they mean. */
    headers?: Readonly<Record<string, string>>;
  };
  /** Refusals of this route beyond those that its group and its inputs bring by themselves. */
  errors: readonly ErrorCode[];
  /** What is charged for a call. Its handler reads query and body itself: nothing is read before the price is named. */
  paid?: true;
  /** Resolves to the view (sent under `success.status`) or to a `RawAnswer`. */
  handler(call: ParsedRequest<Group, Body, Query, Param>): Promise<unknown> | unknown;
}

/** Infers the types that the schemas produce, then forgets them, so that a table can hold every route. */
export function defineRoute<Group extends RouteGroup, Body = undefined, Query = undefined, Param = undefined>(
  route: Route<Group, Body, Query, Param>,
): Route {
  return route;
}

const ADMITTED_GROUPS: ReadonlySet<RouteGroup> = new Set(['auth', 'creator', 'public']);

/** Whether requests of the group are counted, throttled and carry the rate-limit headers. */
export function needsAdmission(group: RouteGroup): boolean {
  return ADMITTED_GROUPS.has(group);
}
