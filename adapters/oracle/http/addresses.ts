/** Which addresses a question may be sent to. A name is checked when it is resolved, and the checked address is the one connected to. */
import { lookup as systemLookup, type LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';

export class PrivateAddressError extends Error {
  override name = 'PrivateAddressError';
}

/** All addresses of a name. */
export type Resolve = (hostname: string) => Promise<LookupAddress[]>;

export const systemResolve: Resolve = (hostname) =>
  new Promise((resolve, reject) => {
    systemLookup(hostname, { all: true }, (error, addresses) => {
      if (error === null) resolve(addresses);
      else reject(error);
    });
  });

/** Whether the address belongs to the public internet; addresses that embed another one do not. */
export function isPublicAddress(address: string): boolean {
  // An address with a zone belongs to one link.
  if (isIP(address) === 0 || address.includes('%')) return false;
  return ipaddr.process(address).range() === 'unicast';
}

/** Node asks no lookup for a host that is an address already. */
export function isPrivateHost({ hostname }: URL): boolean {
  const address = hostname.replace(/^\[|\]$/g, '');
  return isIP(address) !== 0 && !isPublicAddress(address);
}

/** A lookup for `http.request`. A name with one private address among its public ones is refused whole. */
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
