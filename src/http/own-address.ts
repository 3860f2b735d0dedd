/** The address of this API: the option `baseUrl`, or without that option the address that the request names. */
import type { Request } from 'express';
import { validationError } from '../domain/errors';
import { remembersLast } from './remember-last';

const LONGEST_HOST = 255;
/** A part of a host name. Names of machines in a private network may contain `_`. */
const LABEL = String.raw`\w(?:[\w-]{0,61}\w)?`;
/** A host name, an IPv4 address, or an IPv6 address in brackets; then a port or no port. */
const HOST = new RegExp(String.raw`^(?:\[[\da-f:.]+\]|(?:${LABEL}\.)*${LABEL}\.?)(?::[1-9]\d{0,4})?$`, 'i');

/**
 * The option `baseUrl` if it is set. Otherwise the origin that the request names, with the mount path; throws
 * VALIDATION_ERROR when the request names no valid host.
 */
export function ownAddress(configured: string | null, request: Request): string {
  return configured ?? originOf(request) + request.baseUrl;
}

/** The path of `baseUrl` if it is set, otherwise the mount path. `/` if that path is empty. */
export function ownPath(configured: string | null, request: Request): string {
  const path = configured === null ? request.baseUrl : new URL(configured).pathname;
  return path === '' ? '/' : path;
}

/**
 * Checks the origin, because it is copied into answers and into messages that wallets sign. Nearly all
 * requests name the same host, so the last result is cached. A refusal is not cached.
 */
const checkedOrigin = remembersLast((protocol: string, host: string): string => {
  const address = `${protocol}://${host}`;
  const isHost = host.length <= LONGEST_HOST && HOST.test(host);
  if (!/^https?$/.test(protocol) || !isHost || !URL.canParse(address)) throw noHost();
  const { hostname, origin } = new URL(address);
  // `7` and `0x7f.1` would become IPv4 addresses that the header does not name.
  if (!hostname.startsWith('[') && !host.toLowerCase().startsWith(hostname)) throw noHost();
  return origin;
});

/**
 * The protocol and host that the client used. Headers of a proxy count only if the host app trusts the proxy.
 */
function originOf(request: Request): string {
  const { protocol = 'http' } = request as Partial<Request>;
  return checkedOrigin(protocol, hostOf(request));
}

/** The host with its port. `request.host` of Express 4 leaves the port out. */
function hostOf(request: Request): string {
  const forwarded = String(request.headers['x-forwarded-host'] ?? '');
  if (forwarded === '' || !trustsProxy(request)) return request.headers.host ?? '';
  return forwarded.split(',', 1)[0]?.trim() ?? '';
}

/** A router outside of an Express app trusts no proxy. */
function trustsProxy(request: Request): boolean {
  const setting: unknown = (request as Partial<Request>).app?.get('trust proxy fn');
  if (typeof setting !== 'function') return false;
  const trusts = setting as (address: string | undefined, hop: number) => boolean;
  return trusts(request.socket.remoteAddress, 0);
}

function noHost(): Error {
  const message = 'The header must name the host of this service';
  return validationError([{ field: 'Host', message }]);
}
