import type { Request } from 'express';
import type { Schema } from 'joi';
import { BoundedMap } from '../domain/bounded-map';
import { parseQuery } from '../schemas/parse';
import { searchText } from './search';

/** The most queries of a route that are kept, and the longest one. */
const MOST_QUERIES = 64;
const LONGEST_QUERY = 256;

/**
 * Reads the query of requests. Most requests for a list have the query of an earlier one, and a schema takes some
 * microseconds. So the last queries are kept as they were read. No schema of a query asks for the time.
 *
 * @throws PredictionMarketError VALIDATION_ERROR. A query that is refused is not kept.
 */
export function queryReader(schema: Schema): (request: Request) => unknown {
  const read = new BoundedMap<string, unknown>(MOST_QUERIES);

  return function queryOf(request) {
    const text = searchText(request);
    const known = read.get(text);
    if (known !== undefined) return known;
    // Requests share what was read, so none of them may change it.
    const query: unknown = Object.freeze(parseQuery<unknown>(schema, new URLSearchParams(text)));
    if (text.length <= LONGEST_QUERY) read.set(text, query);
    return query;
  };
}
