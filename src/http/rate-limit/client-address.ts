import { ipKeyGenerator } from 'express-rate-limit';
import type { Request } from 'express';

/**
 * The client for address quotas: an IPv4 address, or the /56 of an IPv6 address, which one customer
 * usually holds whole. `request.ip` follows the host's `trust proxy` setting.
 */
export function clientAddress(request: Request): string {
  // A connection that is already gone has no address; such callers share one quota.
  return request.ip === undefined ? 'unknown' : ipKeyGenerator(request.ip, 56);
}
