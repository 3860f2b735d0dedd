/** The WebSockets of one instance (docs/live.md). */
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer, type Server, type ServerOptions } from 'ws';
import { PredictionMarketError, serviceUnavailable, UNAUTHORIZED_MESSAGE } from '../../domain/errors';
import { checkOptions, flag, isRecord, mustBe, optional, type Checks } from '../../domain/options';
import type { ApiKey } from '../../domain/types';
import { withinTime } from '../../ports/time-limit';
import { clientSubject } from '../../rate-limit/client-subject';
import type { CountedConnection } from '../connection-limiter';
import { ClientSocket } from './client-socket';
import { createHeartbeats } from './heartbeats';
import { refuseUpgrade } from './refuse-upgrade';
import { CUT_OFF_MS, openSession, type Opened, type SocketSession, type SessionKeeper } from './session';
import { clientAddressOf, trustOf, trustOfApp, type TrustProxy } from './trusted-proxies';
import { isTaken } from './is-socket-taken';
import type { SocketParts } from './types';
import type { AttachableServer } from './attachable-server';
import { attachPath } from './upgrades';

export interface WebSocketOptions {
  /** The whole path of the socket, with the mount path of the router. Default `/api/v2/ws`. */
  path?: string | undefined;
  /**
   * The origins whose pages may open a socket, such as `https://example.org`, or a function that decides.
   * Requests without the header `Origin`, such as those of programs, are let in. Default: every origin.
   */
  allowedOrigins?: readonly string[] | ((origin: string) => boolean) | undefined;
  /**
   * Which proxies are trusted to name the client's address in X-Forwarded-For: `true` for all, `false` for none, a
   * number for that many of the nearest proxies, or a function of address and hop. Default: the setting `trust
   * proxy` of the Express app behind the server.
   */
  trustProxy?: boolean | number | TrustProxy | undefined;
  /** Compresses messages for clients that ask for it. Each socket then costs memory and time. Default false. */
  perMessageDeflate?: boolean | undefined;
}

export interface WebSocketBridge {
  /**
   * Serves sockets on this server. A host may call this for several servers, before and after `start`.
   * @throws TypeError for a wrong server or option.
   * @throws Error after `detach`, or when the path is attached to this server already.
   */
  attach(server: AttachableServer, options?: WebSocketOptions): void;
  /**
   * Leaves all servers, so that another prediction market may attach the paths. Until then, upgrade requests for
   * these paths get the status 503.
   */
  detach(): void;
  /** The path that was attached first. `null` before that. */
  path(): string | null;
}

export const WEB_SOCKET_PATH = '/api/v2/ws';
/** The most upgrade requests that may wait for the look-up of their keys at a time. */
const MOST_HALF_OPEN = 1_000;
/**
 * A command is at most 64 kB by default, and clients send it in one frame or in a few frames. With the defaults of
 * `ws`, a client could make this process put thousands of fragments together.
 */
const MOST_FRAGMENTS = 256;
const MOST_CHUNKS = 4_096;
const LONGEST_UPGRADE_MS = 10_000;
const TAKEN =
  'another listener of the server takes the sockets of this path: give the WebSocketServer of the host noServer';

const CHECKS: Checks<WebSocketOptions> = {
  path: optional(mustBe('a path like /api/v2/ws', (value) => /^\/[^?#\s]*$/.test(String(value)))),
  allowedOrigins: optional(
    mustBe(
      'a list of origins like https://example.org, or a function',
      (value) => typeof value === 'function' || (Array.isArray(value) && value.every(isOrigin)),
    ),
  ),
  trustProxy: optional(
    mustBe('true, false, a number of proxies, or a function', (value) =>
      ['boolean', 'number', 'function'].includes(typeof value),
    ),
  ),
  perMessageDeflate: optional(flag),
};

/**
 * Refuses an Express app, which never emits `upgrade`. The app has the methods `on` and `listen` too, but it is a
 * function and no record.
 */
const A_SERVER = mustBe(
  'the server of Node that app.listen() or createServer(app) returns',
  (value) => isRecord(value) && typeof value['on'] === 'function' && typeof value['listen'] === 'function',
);

function isOrigin(text: unknown): boolean {
  return typeof text === 'string' && URL.canParse(text) && new URL(text).origin === text;
}

export function createWebSocketBridge(parts: SocketParts): WebSocketBridge {
  const { limits } = parts;
  const sessions = createSessions(parts);
  const halfOpen = { count: 0 };
  const detachers: (() => void)[] = [];
  let firstPath: string | null = null;
  let isDetached = false;
  return {
    attach(server, options = {}) {
      if (isDetached) throw new Error('attachWebSocket: the prediction market is closed');
      A_SERVER(server, { factory: 'attachWebSocket', path: 'the server' });
      checkOptions('attachWebSocket', options, CHECKS);
      const { path = WEB_SOCKET_PATH, trustProxy, perMessageDeflate = false } = options;
      const sockets = socketServer(limits.commandBytesLimit, perMessageDeflate);
      const isAllowed = originCheck(options.allowedOrigins);
      let isWarned = false;
      const warnOfHost = (): void => {
        if (!isWarned) parts.logger.warn({ path }, TAKEN);
        isWarned = true;
      };
      const attachment = { parts, sessions, halfOpen, sockets, isAllowed, warnOfHost };
      const detach = attachPath(server, path, (request, socket, head) => {
        const trust = trustProxy === undefined ? trustOfApp(server) : trustOf(trustProxy);
        const address = clientSubject(clientAddressOf(request, trust));
        void upgrade(attachment, { request, socket, head, address });
      });
      detachers.push(detach);
      firstPath ??= path;
    },
    detach() {
      isDetached = true;
      for (const detach of detachers.splice(0)) detach();
    },
    path: () => firstPath,
  };
}

type ClientSockets = Server<typeof ClientSocket>;

function socketServer(commandBytesLimit: number, perMessageDeflate: boolean): ClientSockets {
  return new WebSocketServer({
    noServer: true,
    WebSocket: ClientSocket,
    clientTracking: false,
    perMessageDeflate,
    maxPayload: commandBytesLimit,
    maxFragments: MOST_FRAGMENTS,
    maxBufferedChunks: MOST_CHUNKS,
    // One read may contain a thousand commands. With this setting, the event loop can serve other clients
    // between two commands.
    allowSynchronousEvents: false,
    closeTimeout: CUT_OFF_MS,
  } as ServerOptions<typeof ClientSocket>);
}

interface Attachment {
  parts: SocketParts;
  sessions: Sessions;
  halfOpen: { count: number };
  sockets: ClientSockets;
  isAllowed(origin: string | undefined): boolean;
  /** Warns that a listener of the host takes our sockets. Only once, because a client could cause many warnings. */
  warnOfHost(): void;
}

interface Upgrade {
  request: IncomingMessage;
  socket: Duplex;
  head: Buffer;
  address: string;
}

async function upgrade(attachment: Attachment, asked: Upgrade): Promise<void> {
  const { parts, sockets, sessions } = attachment;
  const { request, socket, head } = asked;
  let counted: CountedConnection | null = null;
  const release = (): void => counted?.release();
  // A listener of the host may take the socket before this function runs, or while it waits.
  const isLost = (): boolean => {
    if (!isTaken(socket)) return false;
    attachment.warnOfHost();
    release();
    return true;
  };
  if (isLost()) return;
  // A client may break the connection at any moment. Without a listener, the event `error` would end the
  // process.
  socket.on('error', destroyIt);
  try {
    counted = admit(attachment, asked);
    socket.once('close', release);
    const key = await presentedKey(attachment, asked);
    if (isLost()) return;
    if (!socket.writable) return void socket.destroy();
    // The service may have ended all connections while the key was looked up. It would not end a socket that
    // opens later.
    parts.connections.requireOpen();
    const opening = { socket, counted, key };
    sockets.handleUpgrade(request, socket, head, (ws) => {
      // From now on `ws` and the session handle errors and the close. These listeners would only take memory
      // in every socket.
      socket.off('error', destroyIt).off('close', release);
      sessions.open({ ws, ...opening });
    });
  } catch (error) {
    if (isLost()) return;
    const status = refuseUpgrade(socket, error);
    parts.figures.refused[status] = (parts.figures.refused[status] ?? 0) + 1;
  }
}

function destroyIt(this: Duplex): void {
  this.destroy();
}

function admit({ parts, isAllowed }: Attachment, { request, address }: Upgrade): CountedConnection {
  if (!parts.isStarted()) throw serviceUnavailable('The service has not started.');
  if (!isAllowed(request.headers.origin))
    throw new PredictionMarketError('ORIGIN_NOT_ALLOWED', 'Pages of this origin may not open a socket here.');
  return parts.connections.open(address);
}

interface Sessions {
  open(opened: Opened): void;
}

function createSessions(parts: SocketParts): Sessions {
  const { figures, timers, limits } = parts;
  const heartbeats = createHeartbeats(timers, 1_000 * limits.heartbeatSeconds);
  const keeper: SessionKeeper = {
    ended(session: SocketSession) {
      figures.open -= 1;
      heartbeats.remove(session);
    },
  };
  return {
    open(opened) {
      figures.open += 1;
      figures.opened += 1;
      heartbeats.add(openSession(parts, keeper, opened));
    },
  };
}

/** The key in the header X-API-Key. `null` without it. Rejects if the key is not valid or its look-up fails. */
async function presentedKey(
  { parts: { keys, throttle, timers }, halfOpen }: Attachment,
  { request, address }: Upgrade,
): Promise<ApiKey | null> {
  const raw = request.headers['x-api-key'];
  if (typeof raw !== 'string' || raw === '') return null;
  if (halfOpen.count >= MOST_HALF_OPEN) throw serviceUnavailable('Too many upgrades wait for their keys');
  halfOpen.count += 1;
  try {
    const key = await withinTime(timers, LONGEST_UPGRADE_MS, keys.authenticate(raw)).catch(
      (cause: unknown) => {
        throw serviceUnavailable('The key could not be looked up', cause);
      },
    );
    if (key !== null) return key;
    const throttled = await throttle.refusal(address);
    if (throttled !== null) throw throttled;
    await throttle.recordFailure(address);
    throw new PredictionMarketError('UNAUTHORIZED', UNAUTHORIZED_MESSAGE);
  } finally {
    halfOpen.count -= 1;
  }
}

function originCheck(allowed: WebSocketOptions['allowedOrigins']): (origin: string | undefined) => boolean {
  if (allowed === undefined) return () => true;
  const isListed = typeof allowed === 'function' ? allowed : (origin: string) => allowed.includes(origin);
  return (origin) => origin === undefined || isListed(origin);
}
