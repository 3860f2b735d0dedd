import type { Request } from 'express';

/**
 * The parameters of the query. We do not read `request.query`, because the host chooses its parser, which may
 * nest, merge or drop parameters.
 */
export function searchOf(request: Request): URLSearchParams {
  return new URLSearchParams(searchText(request));
}

/** The path as the client sent it, without the query and without the mount path, which Express removes. */
export function pathText({ url }: Request): string {
  const end = url.indexOf('?');
  return end === -1 ? url : url.slice(0, end);
}

/** The query as the client sent it, without the question mark. */
export function searchText(request: Request): string {
  const start = request.url.indexOf('?');
  return start === -1 ? '' : request.url.slice(start + 1);
}
