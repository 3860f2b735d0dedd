import type { Request } from 'express';

/** Not `request.query`: hosts choose its parser, and it may nest, merge or drop what was sent. */
export function searchOf(request: Request): URLSearchParams {
  return new URLSearchParams(searchText(request));
}

/** As it was sent, without the question mark. */
export function searchText(request: Request): string {
  const start = request.url.indexOf('?');
  return start === -1 ? '' : request.url.slice(start + 1);
}
