import { ipKeyGenerator } from 'express-rate-limit';
import type { Request } from 'express';

/** A customer of a provider usually holds a whole /56 of IPv6 addresses. */
const IPV6_PREFIX_BITS = 56;

/**
 * The name under which the requests of a client are counted: its IPv4 address, or the /56 of its IPv6 address.
 * `request.ip` follows the host's setting `trust proxy`.
 */
export function clientAddress(request: Request): string {
  // A closed connection has no address any more. All requests without an address share one quota.
  return request.ip === undefined ? 'unknown' : ipKeyGenerator(request.ip, IPV6_PREFIX_BITS);
}
