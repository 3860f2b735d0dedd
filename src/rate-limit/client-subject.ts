import { ipKeyGenerator } from 'express-rate-limit';

/** One customer usually has a whole /56 of IPv6 addresses. */
const IPV6_PREFIX_BITS = 56;

/** The name under which a client is counted: its IPv4 address, or the /56 of its IPv6 address. */
export function clientSubject(address: string | undefined): string {
  // A closed connection has no address any more. The clients of all such connections are counted together.
  return address === undefined ? 'unknown' : ipKeyGenerator(address, IPV6_PREFIX_BITS);
}
