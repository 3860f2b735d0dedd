import { ipKeyGenerator } from 'express-rate-limit';
import type { Request } from 'express';

/** One customer usually holds a whole /56 of IPv6 addresses. */
const IPV6_PREFIX_BITS = 56;

/**
 * The key under which requests of a client are counted: its IPv4 address, or the /56 of its IPv6 address.
 * `request.ip` follows the host's setting `trust proxy`.
 */
export function clientAddress(request: Request): string {
  // A closed connection has no address any more. All such requests share one quota.
  return request.ip === undefined ? 'unknown' : ipKeyGenerator(request.ip, IPV6_PREFIX_BITS);
}
