/**
 * Decides whether the service may send a request to a URL that a user has given. When the name of a host is resolved,
 * its addresses are checked, and the connection uses one of the checked addresses.
 */
import { lookup as systemLookup, type LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';

/** The range of the public IPv6 addresses. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

export class PrivateAddressError extends Error {
  override name = 'PrivateAddressError';
}

export type Resolve = (hostname: string) => Promise<LookupAddress[]>;

export const systemResolve: Resolve = (hostname) =>
  new Promise((resolve, reject) => {
    systemLookup(hostname, { all: true }, (error, addresses) => {
      if (error === null) resolve(addresses);
      else reject(error);
    });
  });

/**
 * Whether the address belongs to the public internet. An IPv6 address of 6to4, Teredo or NAT64 does not count as
 * public. For a mapped address, such as `::ffff:8.8.8.8`, the IPv4 address decides.
 */
export function isPublicAddress(address: string): boolean {
  // An address with a zone is valid on one network link only.
  if (isIP(address) === 0 || address.includes('%')) return false;
  const parsed = ipaddr.process(canonical(address));
  if (parsed instanceof ipaddr.IPv6 && !parsed.match(GLOBAL_UNICAST)) return false;
  return parsed.range() === 'unicast';
}

/**
 * `ipaddr.js` takes the IPv4-compatible address `::8.8.8.8`, which is not public, for the public IPv4 address
 * 8.8.8.8. The URL parser writes it as `::808:808`, which `ipaddr.js` reads as an IPv6 address.
 */
function canonical(address: string): string {
  return isIP(address) === 6 ? new URL(`http://[${address}]`).hostname.slice(1, -1) : address;
}

/** The names that stand for this machine (RFC 6761). */
const NAME_OF_THIS_MACHINE = /(^|\.)localhost\.?$/;

/**
 * Whether the host is not public, as far as that is known without resolving a name: an address that is not public, or
 * a name of this machine. `checkedLookup` does not see a host that is written as an address, because Node looks up
 * only names.
 */
export function isPrivateHost({ hostname }: URL): boolean {
  const address = hostname.replace(/^\[|\]$/g, '');
  return isIP(address) === 0 ? NAME_OF_THIS_MACHINE.test(hostname) : !isPublicAddress(address);
}

/**
 * Why each request to the URL is refused while private addresses are not allowed. `null` if requests are allowed, or if
 * that depends on the addresses of the host's name.
 */
export function obstacle(url: URL): 'no TLS' | 'private' | null {
  if (url.protocol !== 'https:') return 'no TLS';
  return isPrivateHost(url) ? 'private' : null;
}

/**
 * A lookup function for `http.request`. Without `allowPrivate`, a name that has a private address is refused, even
 * if the name has public addresses too.
 */
export function checkedLookup(resolve: Resolve, allowPrivate: boolean): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname).then(
      (addresses) => {
        const [first] = addresses;
        if (first === undefined) callback(new Error('the name has no address'), '');
        else if (!allowPrivate && !addresses.every(({ address }) => isPublicAddress(address)))
          callback(new PrivateAddressError(), '');
        else if (options.all === true) callback(null, addresses);
        else callback(null, first.address, first.family);
      },
      (error: unknown) => callback(error as NodeJS.ErrnoException, ''),
    );
  };
}
