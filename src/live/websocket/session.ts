/** One socket from its upgrade to its end: a reader of the feed, and the client of its commands. */
import type { Duplex } from 'node:stream';
import type { RawData, WebSocket } from 'ws';
import { PredictionMarketError, validationError } from '../../domain/errors';
import type { ApiKey } from '../../domain/types';
import type { ClientCommand, ControlMessage } from '../../events/protocol';
import { parseClientCommand } from '../../schemas/live';
import type { FeedReader } from '../feed/types';
import { CLOSE_CODES, END_CODES } from './close-codes';
import { createCommandQuota } from './command-quota';
import { createCommands } from './commands';
import { createInbox } from './inbox';
import { createOutlet } from './outlet';
import type { SocketParts } from './types';
import { compressingWire, sharedWire } from './wire';

/** A client that takes no close frame for this long is cut off. */
export const CUT_OFF_MS = 5_000;
/** A socket is closed when this many pings in a row were not answered. */
const MOST_UNANSWERED_PINGS = 2;

export interface Session {
  heartbeat(): void;
}

export interface Opened {
  ws: WebSocket;
  socket: Duplex;
  address: string;
  /** From the header of the upgrade. */
  key: ApiKey | null;
  onEnd(session: Session): void;
}

export function openSession(parts: SocketParts, { ws, socket, address, key, onEnd }: Opened): Session {
  const { feed, limits, clock, timers, figures } = parts;
  const quota = createCommandQuota(limits.commandLimit);
  let unansweredPings = 0;
  let isClosing = false;
  let callOffCut = (): void => undefined;

  const outlet = createOutlet({
    wire: ws.extensions === '' ? sharedWire(ws, socket) : compressingWire(ws),
    limit: limits.waitingBytesLimit,
    onTooSlow: () => close(CLOSE_CODES.tooSlow, 'the client is too slow'),
  });
  const send = (message: ControlMessage): void => outlet.send(message);
  const reader: FeedReader = {
    deliver(batch) {
      figures.messages += batch.messages.length;
      outlet.deliver(batch);
    },
    ready: () => outlet.ready(),
    resync: (resync) => send({ type: 'resync', id: commands.answering(), ...resync }),
    scopeLost: (channels) => send({ type: 'unsubscribed', id: null, channels: [...channels] }),
    end: (reason) => close(END_CODES[reason], reason),
  };
  const connection = feed.connect(reader);
  const commands = createCommands({ ...parts, connection, address, send, close });
  const inbox = createInbox(runWhenReady, { pause: () => ws.pause(), resume: () => ws.resume() });

  /** An answer may be large, so the next one is made when the client has taken the last. */
  async function runWhenReady(command: ClientCommand): Promise<void> {
    await outlet.ready();
    await commands.run(command);
  }

  function close(code: number, reason: string): void {
    if (!startClosing(code)) return;
    // What the client answers to the close frame has to be read.
    ws.resume();
    ws.close(code, reason);
  }

  function startClosing(code: number): boolean {
    if (isClosing) return false;
    isClosing = true;
    figures.closed[code] = (figures.closed[code] ?? 0) + 1;
    stop();
    callOffCut = timers.after(CUT_OFF_MS, () => ws.terminate());
    return true;
  }

  function stop(): void {
    inbox.clear();
    connection.close();
    outlet.end();
  }

  function take(data: RawData, isBinary: boolean): void {
    if (isClosing) return;
    if (isBinary) return close(CLOSE_CODES.binary, 'commands are JSON texts');
    const command = parsed(data);
    // Free, and answered at once, so that a client can tell a quiet service from a frozen one.
    if (!(command instanceof PredictionMarketError) && command.op === 'ping')
      return void commands.run(command);
    const verdict = quota.count(clock.now());
    if (verdict === 'abuse') return close(CLOSE_CODES.abuse, 'too many commands');
    if (verdict === 'refused') return commands.refuse(idOf(data), tooManyCommands(limits.commandLimit));
    if (command instanceof PredictionMarketError) commands.refuse(idOf(data), command);
    else inbox.add(command);
  }

  const session: Session = {
    heartbeat() {
      if (isClosing) return;
      if (unansweredPings >= MOST_UNANSWERED_PINGS) return close(CLOSE_CODES.silent, 'no answer to pings');
      unansweredPings += 1;
      outlet.heartbeat({
        type: 'heartbeat',
        seq: connection.handedTo(),
        ts: new Date(clock.now()).toISOString(),
      });
    },
  };
  ws.on('message', take);
  ws.on('pong', () => void (unansweredPings = 0));
  // Without a listener, an oversized frame would end the process. `ws` itself sends the close frame.
  ws.on('error', (error) => {
    const code = codeOf(error);
    if (code !== null) startClosing(code);
  });
  ws.on('close', () => {
    isClosing = true;
    callOffCut();
    stop();
    onEnd(session);
  });
  send({ type: 'welcome', ...feed.position(), heartbeatSeconds: limits.heartbeatSeconds });
  if (key !== null) commands.authenticated(key);
  return session;
}

const CODES_OF_ERRORS: Readonly<Record<string, number>> = {
  WS_ERR_UNSUPPORTED_MESSAGE_LENGTH: CLOSE_CODES.tooLarge,
  WS_ERR_UNSUPPORTED_DATA_PAYLOAD_LENGTH: CLOSE_CODES.tooLarge,
  WS_ERR_TOO_MANY_BUFFERED_PARTS: CLOSE_CODES.abuse,
  WS_ERR_INVALID_UTF8: CLOSE_CODES.notText,
};

/** The code with which `ws` closes a socket whose frames it cannot read; `null` when the connection broke. */
function codeOf(error: Error & { code?: unknown }): number | null {
  const { code } = error;
  if (typeof code !== 'string' || !code.startsWith('WS_ERR_')) return null;
  return CODES_OF_ERRORS[code] ?? CLOSE_CODES.malformed;
}

function parsed(data: RawData): ClientCommand | PredictionMarketError {
  try {
    return parseClientCommand(JSON.parse(textOf(data)));
  } catch (error) {
    if (error instanceof PredictionMarketError) return error;
    return validationError([{ field: 'command', message: 'A command is a JSON object' }]);
  }
}

/** The client's `id`, also of a command that is refused. */
function idOf(data: RawData): number | string | null {
  try {
    const { id } = JSON.parse(textOf(data)) as { id?: unknown };
    return typeof id === 'string' || typeof id === 'number' ? id : null;
  } catch {
    return null;
  }
}

function textOf(data: RawData): string {
  return (data as Buffer).toString();
}

function tooManyCommands(limit: number): PredictionMarketError {
  const message = `Rate limit exceeded. Max ${String(limit)} commands per minute.`;
  return new PredictionMarketError('RATE_LIMIT_EXCEEDED', message);
}
