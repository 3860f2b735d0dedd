/** Which pages may show a market in a frame. */
import { kindOf } from '../../src/domain/options';

const SELF = "'self'";
/** An http(s) origin as content security policies write it: perhaps with `*.` before the host, or with a port. */
const ORIGIN = /^https?:\/\/(\*\.)?[a-z0-9-]+(\.[a-z0-9-]+)*(:\d{1,5}|:\*)?$/i;

/**
 * The value of `frame-ancestors`. Each entry is `'self'`, `*` or an origin such as `https://example.com` or
 * `https://*.example.com`. Throws a TypeError that names a wrong entry.
 */
export function frameAncestors(entries: readonly string[] = [SELF]): string {
  const given: unknown = entries;
  if (!Array.isArray(given))
    throw new TypeError(`frameAncestors: give a list of origins, got ${kindOf(given)}`);
  for (const entry of entries) {
    if (entry !== SELF && entry !== '*' && !ORIGIN.test(entry))
      throw new TypeError(
        `createSite: embedAncestors: ${JSON.stringify(entry)} is neither 'self' nor * nor an origin such as https://example.com`,
      );
  }
  return entries.length === 0 ? "'none'" : entries.join(' ');
}
