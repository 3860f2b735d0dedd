import type { Request } from 'express';
import type { Schema } from 'joi';
import { BoundedMap } from '../domain/bounded-map';
import { parseQuery } from '../schemas/parse';
import { searchText } from './query-string';

const MOST_QUERIES = 64;
const LONGEST_QUERY = 256;

/**
 * Reads the query of requests, and caches the last results. So the schema of a query must not depend on the current
 * time.
 * @throws PredictionMarketError VALIDATION_ERROR. A refused query is not cached.
 */
export function queryReader(schema: Schema): (request: Request) => unknown {
  const read = new BoundedMap<string, unknown>(MOST_QUERIES);

  return function queryOf(request) {
    const text = searchText(request);
    const known = read.get(text);
    if (known !== undefined) return known;
    // Requests with the same query share this object, so no request may change the object.
    const query: unknown = Object.freeze(parseQuery<unknown>(schema, new URLSearchParams(text)));
    if (text.length <= LONGEST_QUERY) read.set(text, query);
    return query;
  };
}
