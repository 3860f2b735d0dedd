import { ipKeyGenerator } from 'express-rate-limit';

/** A customer may have a whole /56 of IPv6 addresses. RIPE-690 recommends this size for homes. */
const IPV6_PREFIX_BITS = 56;

/**
 * An address that may have a port: some proxies, such as those of Azure, write the caller's port into
 * `X-Forwarded-For`. The port is left out, because each connection of a caller has another port.
 */
const WITH_PORT = /^(?:\[([^\]]+)\]|([\d.]+))(?::\d+)?$/;

/** The name under which a client is counted: its IPv4 address, or the /56 of its IPv6 address. */
export function clientSubject(address: string | undefined): string {
  // A closed connection has no address any more. The clients of all such connections are counted together.
  if (address === undefined) return 'unknown';
  const [, v6, v4] = WITH_PORT.exec(address) ?? [];
  return ipKeyGenerator(v6 ?? v4 ?? address, IPV6_PREFIX_BITS);
}
