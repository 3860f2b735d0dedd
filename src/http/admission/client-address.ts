import type { Request } from 'express';
import { clientSubject } from '../../rate-limit/client-subject';

/**
 * The name under which the requests of a client are counted. `request.ip` follows the host's setting
 * `trust proxy`.
 */
export function clientAddress(request: Request): string {
  return clientSubject(request.ip);
}
