/** The types of a call, looked up in the generated types by method and path. */
import type { paths } from './api.generated';

export type Path = keyof paths;
export type MethodOf<P extends Path> = Extract<keyof paths[P], 'get' | 'post' | 'patch' | 'delete'>;

type Operation<P extends Path, M extends MethodOf<P>> = paths[P][M];

/** The query of a GET. */
export type Query<P extends Path> = paths[P] extends { get: { parameters: { query?: infer Values } } }
  ? NonNullable<Values>
  : never;

export type Body<P extends Path, M extends MethodOf<P> = Extract<'post', MethodOf<P>>> =
  Operation<P, M> extends { requestBody?: infer Sent }
    ? NonNullable<Sent> extends { content: { 'application/json': infer Content } }
      ? Content
      : undefined
    : undefined;

export type Answer<P extends Path, M extends MethodOf<P>> =
  Operation<P, M> extends { responses: infer Responses }
    ? Responses[keyof Responses] extends { content: { 'application/json': infer Content } }
      ? Content extends { success: true; data: infer Data }
        ? Data
        : Content
      : never
    : never;

type Names<P extends string> = P extends `${string}{${infer Name}}${infer Rest}` ? Name | Names<Rest> : never;

export interface Inputs<P extends Path, M extends MethodOf<P>> {
  path?: Record<Names<P>, string | number>;
  query?: M extends 'get' ? Query<P> : undefined;
  body?: Body<P, M>;
}
