/** The address of the client behind an upgrade request, as Express finds it for ordinary requests. */
import type { IncomingMessage } from 'node:http';
import type { AttachableServer } from './attachable-server';

/** Whether the proxy at this address is trusted. `hop` counts from the server, starting with 0. */
export type TrustProxy = (address: string, hop: number) => boolean;

/**
 * The address of the client: the farthest address that a chain of trusted proxies has named, or else the other end of
 * the connection.
 */
export function clientAddressOf(request: IncomingMessage, trust: TrustProxy): string | undefined {
  const direct = request.socket.remoteAddress;
  if (direct === undefined) return undefined;
  const header = request.headers['x-forwarded-for'];
  const forwarded = [header ?? []].flat().join(',').split(',');
  const hops = [
    direct,
    ...forwarded
      .map((text) => text.trim())
      .filter((text) => text !== '')
      .reverse(),
  ];
  const client = hops.findIndex((address, hop) => !trust(address, hop));
  return client === -1 ? hops.at(-1) : hops[client];
}

const trustNone: TrustProxy = () => false;

/**
 * Trusts the proxies that `trust proxy` of the Express app behind the server trusts now. Without such an app,
 * no proxy is trusted.
 */
export function trustOfApp(server: AttachableServer): TrustProxy {
  for (const listener of server.listeners('request')) {
    const { get } = listener as { get?: unknown };
    if (typeof get !== 'function') continue;
    const trust: unknown = get.call(listener, 'trust proxy fn');
    if (typeof trust === 'function') return trust as TrustProxy;
  }
  return trustNone;
}

/**
 * The function for the option: `true` trusts all proxies, `false` trusts none, and a number trusts that many of the
 * nearest proxies. A function is used as it is.
 */
export function trustOf(option: boolean | number | TrustProxy): TrustProxy {
  if (typeof option === 'function') return option;
  if (typeof option === 'number') return (_address, hop) => hop < option;
  return () => option;
}
