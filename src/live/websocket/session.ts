/** One socket from its upgrade to its end. It reads the feed, and the client sends commands on it. */
import type { Duplex } from 'node:stream';
import type { RawData } from 'ws';
import { PredictionMarketError, validationError } from '../../domain/errors';
import type { ApiKey } from '../../domain/types';
import type { ClientCommand, ControlMessage } from '../../events/protocol';
import { isCommandId, parseClientCommand } from '../../schemas/live';
import type { CountedConnection } from '../connection-limiter';
import { FairShare } from '../feed/fair-share';
import type { EndReason, FeedBatch, FeedConnection, FeedReader, Resync } from '../feed/types';
import type { ClientSocket, SocketOwner } from './client-socket';
import { CLOSE_CODES, END_CODES } from './close-codes';
import { CommandQuota } from './command-quota';
import { CommandRunner, type CommandSocket } from './command-runner';
import { CommandQueue } from './command-queue';
import { createSendBuffer, type SendBuffer, type SendBufferOwner } from './send-buffer';
import type { SocketParts } from './types';
import { compressingSocketWriter, sharedSocketWriter } from './socket-writer';

/** A connection that has not ended this long after the close frame is cut off. */
export const CUT_OFF_MS = 5_000;
/**
 * After its close frame, a session reads about this much more, so that the client's answer can still arrive.
 * Reading a flood of commands to its end would take much memory.
 */
const READ_AFTER_CLOSE_BYTES = 65_536;
/**
 * A client that asks for large states again and again gets at most this many bytes of them per second. Reading and
 * writing the state of many markets keeps other clients waiting.
 */
const STATE_BYTES_PER_SECOND = 1_048_576;
/** `STATE_BYTES_PER_SECOND` does not slow answers with up to this many bytes, such as the state of a few markets. */
const FREE_STATE_BYTES = 65_536;
/** A socket is closed when this many pings in a row were not answered. */
const MOST_UNANSWERED_PINGS = 2;

export interface SocketSession {
  heartbeat(): void;
}

export interface SessionKeeper {
  ended(session: SocketSession): void;
}

export interface Opened {
  ws: ClientSocket;
  socket: Duplex;
  /** Counts this connection. The session releases it when the session ends. */
  counted: CountedConnection;
  /** The key that came in the header of the upgrade. `null`: no key came. */
  key: ApiKey | null;
}

export function openSession(parts: SocketParts, keeper: SessionKeeper, opened: Opened): SocketSession {
  return new FeedSession(parts, keeper, opened);
}

class FeedSession implements SocketSession, FeedReader, CommandSocket, SendBufferOwner, SocketOwner {
  readonly connection: FeedConnection;
  readonly #parts: SocketParts;
  readonly #keeper: SessionKeeper;
  readonly #counted: CountedConnection;
  readonly #ws: ClientSocket;
  readonly #socket: Duplex;
  readonly #sendBuffer: SendBuffer;
  readonly #commandRunner: CommandRunner;
  readonly #commandQueue = new CommandQueue<ClientCommand>(this);
  readonly #quota: CommandQuota;
  readonly #share: FairShare;
  #unansweredPings = 0;
  #isReading = true;
  #isClosing = false;
  #cancelCut: (() => void) | null = null;
  #answeredBytes = 0;
  #cancelRest: (() => void) | null = null;

  constructor(parts: SocketParts, keeper: SessionKeeper, { ws, socket, counted, key }: Opened) {
    const { feed, limits } = parts;
    this.#parts = parts;
    this.#keeper = keeper;
    this.#counted = counted;
    this.#ws = ws;
    this.#socket = socket;
    this.#quota = new CommandQuota(limits.commandLimit);
    this.#share = new FairShare(parts.clock);
    const writer = ws.extensions === '' ? sharedSocketWriter(ws, socket) : compressingSocketWriter(ws);
    this.#sendBuffer = createSendBuffer({ writer, limit: limits.waitingBytesLimit, owner: this });
    this.connection = feed.connect(this);
    this.#commandRunner = new CommandRunner(parts, this);
    ws.belongTo(this);
    this.send({ type: 'welcome', ...feed.position(), heartbeatSeconds: limits.heartbeatSeconds });
    if (key !== null) this.#commandRunner.authenticated(key);
  }

  heartbeat(): void {
    if (this.#isClosing) return;
    if (this.#unansweredPings >= MOST_UNANSWERED_PINGS)
      return this.close(CLOSE_CODES.silent, 'no answer to pings');
    this.#unansweredPings += 1;
    const { clock, feed } = this.#parts;
    const ts = new Date(clock.now()).toISOString();
    this.#sendBuffer.heartbeat({ type: 'heartbeat', seq: feed.position().seq, ts });
  }

  deliver(batch: FeedBatch): void {
    this.#parts.figures.messages += batch.messages.length;
    this.#sendBuffer.deliver(batch);
  }

  ready(): Promise<void> {
    return this.#sendBuffer.ready();
  }

  resync(resync: Resync): void {
    this.send({ type: 'resync', id: this.#commandRunner.answering(), ...resync });
  }

  scopeLost(channels: readonly string[]): void {
    this.send({ type: 'unsubscribed', id: null, channels: [...channels] });
  }

  end(reason: EndReason): void {
    this.close(END_CODES[reason], reason);
  }

  get address(): string {
    return this.#counted.address;
  }

  send(message: ControlMessage): void {
    this.#answeredBytes += this.#sendBuffer.send(message);
  }

  close(code: number, reason: string): void {
    if (!this.#startClosing(code)) return;
    // The client's answer to the close frame can only be read after `resume`.
    this.#ws.resume();
    this.#ws.close(code, reason);
  }

  tooSlow(): void {
    this.close(CLOSE_CODES.tooSlow, 'the client is too slow');
  }

  /** An answer may be large. So a command runs only when the client is not behind with earlier answers. */
  async run(command: ClientCommand): Promise<void> {
    await this.#sendBuffer.ready();
    this.#answeredBytes = 0;
    await this.#share.work(() => this.#commandRunner.run(command));
    // While reading is paused, the client's answer to a ping cannot arrive. A client with waiting commands is
    // not silent, so its ping counts as answered.
    if (!this.#isReading) this.pingAnswered();
    const bytes = this.#answeredBytes;
    const pauseOfState = bytes > FREE_STATE_BYTES ? (1_000 * bytes) / STATE_BYTES_PER_SECOND : 0;
    const pause = Math.max(this.#share.takePause(), pauseOfState);
    if (pause > 0) await this.#rest(pause);
    // With a storage that answers at once, all waiting commands would otherwise run in one turn of the event
    // loop.
    else await this.#parts.timers.yieldTurn();
  }

  /** The promise never settles if the socket is closed during the pause. The waiting commands are then dropped. */
  #rest(milliseconds: number): Promise<void> {
    if (this.#isClosing) return Promise.resolve();
    return new Promise((resolve) => {
      this.#cancelRest = this.#parts.timers.after(milliseconds, resolve);
    });
  }

  pause(): void {
    this.#isReading = false;
    this.#ws.pause();
  }

  resume(): void {
    this.#isReading = true;
    this.#ws.resume();
  }

  received(data: RawData, isBinary: boolean): void {
    if (this.#isClosing) return;
    if (isBinary) return this.close(CLOSE_CODES.binary, 'commands are JSON texts');
    const command = parsed(data);
    // A ping does not count against the quota and is answered at once, so that a client can tell a quiet
    // service from a frozen one.
    if (!(command instanceof PredictionMarketError) && command.op === 'ping')
      return void this.#commandRunner.run(command);
    const { clock, limits } = this.#parts;
    const verdict = this.#quota.count(clock.now());
    if (verdict === 'abuse') return this.close(CLOSE_CODES.abuse, 'too many commands');
    if (verdict === 'refused')
      return this.#commandRunner.refuse(idOf(data), tooManyCommands(limits.commandLimit));
    if (command instanceof PredictionMarketError) this.#commandRunner.refuse(idOf(data), command);
    else this.#commandQueue.add(command);
  }

  pingAnswered(): void {
    this.#unansweredPings = 0;
  }

  failed(error: Error): void {
    const code = codeOf(error);
    if (code !== null) this.#startClosing(code);
  }

  closed(): void {
    this.#isClosing = true;
    this.#cancelCut?.();
    this.#stop();
    this.#counted.release();
    this.#keeper.ended(this);
  }

  #startClosing(code: number): boolean {
    if (this.#isClosing) return false;
    this.#isClosing = true;
    const { figures, timers } = this.#parts;
    figures.closed[code] = (figures.closed[code] ?? 0) + 1;
    this.#stop();
    this.#cancelCut = timers.after(CUT_OFF_MS, () => this.#ws.terminate());
    this.#readOnlyALittleMore();
    return true;
  }

  #readOnlyALittleMore(): void {
    let left = READ_AFTER_CLOSE_BYTES;
    this.#socket.on('data', (bytes: Buffer) => {
      left -= bytes.length;
      if (left > 0) return;
      this.#ws.pause();
      // The client's answer to the close frame is not read any more, so this side ends the connection.
      this.#socket.end();
    });
  }

  #stop(): void {
    this.#cancelRest?.();
    this.#commandQueue.clear();
    this.connection.close();
    this.#sendBuffer.end();
  }
}

const CODES_OF_ERRORS: Readonly<Record<string, number>> = {
  WS_ERR_UNSUPPORTED_MESSAGE_LENGTH: CLOSE_CODES.tooLarge,
  WS_ERR_UNSUPPORTED_DATA_PAYLOAD_LENGTH: CLOSE_CODES.tooLarge,
  WS_ERR_TOO_MANY_BUFFERED_PARTS: CLOSE_CODES.abuse,
  WS_ERR_INVALID_UTF8: CLOSE_CODES.notText,
};

/** The code with which `ws` closes a socket whose frames it cannot read. `null` when the connection broke. */
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

/**
 * The `id` that the client gave its command, so that a refusal can name it too. `null` if the text is no JSON, or if
 * the `id` is missing or not valid.
 */
function idOf(data: RawData): number | string | null {
  try {
    const { id } = JSON.parse(textOf(data)) as { id?: unknown };
    return isCommandId(id) ? id : null;
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
