/**
 * The upgrade requests of an HTTP server. Requests for our paths are taken. Other requests are left to the
 * host's listeners, and answered here if the host has none.
 */
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { PredictionMarketError, serviceUnavailable } from '../../domain/errors';
import type { AttachableServer } from './attachable-server';
import { serveWithoutUpgrade } from './serve-without-upgrade';
import { refuseUpgrade } from './refuse-upgrade';
import { isTaken } from './is-socket-taken';

export type UpgradeHandler = (request: IncomingMessage, socket: Duplex, head: Buffer) => void;

/** The paths of each server. All prediction markets that are attached to a server share one listener. */
const attached = new WeakMap<AttachableServer, Map<string, UpgradeHandler>>();

/**
 * The handler of a detached path. It sends the status 503, because the host's listener may leave these requests
 * without an answer.
 */
const refuseClosed: UpgradeHandler = (_request, socket) => {
  if (!isTaken(socket)) refuseUpgrade(socket, serviceUnavailable('The service has stopped'));
};

/**
 * Attaches a path. Returns a function that detaches the path. Requests for a detached path get the status 503,
 * until a prediction market attaches the path again.
 * @throws Error when the path is attached to this server already.
 */
export function attachPath(server: AttachableServer, path: string, handler: UpgradeHandler): () => void {
  const paths = attached.get(server) ?? listen(server);
  if ((paths.get(path) ?? refuseClosed) !== refuseClosed)
    throw new Error(`attachWebSocket: ${path} is attached to this server already`);
  paths.set(path, handler);
  return () => {
    if (paths.get(path) === handler) paths.set(path, refuseClosed);
  };
}

function listen(server: AttachableServer): Map<string, UpgradeHandler> {
  const paths = new Map<string, UpgradeHandler>();
  attached.set(server, paths);
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const handler = isWebSocket(request) ? paths.get(pathOf(request)) : undefined;
    if (handler !== undefined) return handler(request, socket, head);
    // Another listener may answer this request. If there is no other listener, this code answers, because the
    // client would otherwise wait without end.
    if (server.listenerCount('upgrade') > 1) return;
    if (isWebSocket(request)) refuseUpgrade(socket, notFound());
    else serveWithoutUpgrade(server, request, socket, head);
  });
  return paths;
}

function isWebSocket({ headers }: IncomingMessage): boolean {
  return headers.upgrade?.toLowerCase() === 'websocket';
}

function pathOf({ url = '' }: IncomingMessage): string {
  return url.split('?', 1)[0] ?? '';
}

function notFound(): PredictionMarketError {
  return new PredictionMarketError('NOT_FOUND', 'There is no WebSocket at this address');
}
