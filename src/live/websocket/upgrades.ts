/** The upgrade requests of an HTTP server: those of our paths are taken, others are left to the host. */
import type { IncomingMessage, Server } from 'node:http';
import type { Server as SecureServer } from 'node:https';
import type { Duplex } from 'node:stream';
import { PredictionMarketError } from '../../domain/errors';
import { serveWithoutUpgrade } from './plain-request';
import { refuseUpgrade } from './refuse-upgrade';

export type AttachableServer = Server | SecureServer;
export type UpgradeHandler = (request: IncomingMessage, socket: Duplex, head: Buffer) => void;

/** The paths of all markets that are attached to a server share one listener. */
const attached = new WeakMap<AttachableServer, Map<string, UpgradeHandler>>();

/** Returns a function that detaches the path. @throws Error when the path is taken. */
export function attachPath(server: AttachableServer, path: string, handler: UpgradeHandler): () => void {
  const paths = attached.get(server) ?? listen(server);
  if (paths.has(path)) throw new Error(`attachWebSocket: ${path} is attached to this server already`);
  paths.set(path, handler);
  return () => void paths.delete(path);
}

function listen(server: AttachableServer): Map<string, UpgradeHandler> {
  const paths = new Map<string, UpgradeHandler>();
  attached.set(server, paths);
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const handler = isWebSocket(request) ? paths.get(pathOf(request)) : undefined;
    if (handler !== undefined) return handler(request, socket, head);
    // Another listener may answer. If there is none, the client would wait without end.
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
