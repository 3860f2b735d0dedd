/**
 * The readers of the fan-out bench, in a process of their own. They are bare sockets that count frames, so that they
 * cost little beside the server that is measured. With the argument `yielding` their process has the lowest priority.
 */
import { connect, type Socket } from 'node:net';
import { constants, setPriority } from 'node:os';
import { percentiles } from '../load';
import { answerQuestions, cpuSeconds } from '../child';
import { clientFrame, createFrameCounter, PONG } from './frames';

export type ReadersQuestion =
  /**
   * Reader `n` subscribes to the channel `channels[n % channels.length]`. If `channels` is empty, readers connect and
   * subscribe to nothing.
   */
  | { op: 'connect'; port: number; path: string; readers: number; channels: string[] }
  /** Answers once this many events have come since the process began. */
  | { op: 'await'; events: number }
  /** Forgets the times that were measured so far. */
  | { op: 'reset' }
  | { op: 'figures' };

export interface ReadersAnswer {
  events: number;
  lost: number;
  cpuSeconds: number;
  /**
   * The time from the instant in a message to its arrival, since `reset`. One reader in `SAMPLED` measures this time.
   */
  p50Ms: number;
  p99Ms: number;
}

const SAMPLED = 50;
/** By default, a server accepts at most 1,000 sockets from one address, so the readers use several addresses. */
const READERS_PER_ADDRESS = 500;
const CONNECTING_AT_ONCE = 50;
const TIME_FIELD = '"ts":"';
const TIME_LENGTH = '2027-01-01T00:00:00.000Z'.length;

if (process.argv[2] === 'yielding') setPriority(constants.priority.PRIORITY_LOW);

// All sockets read into one buffer. The bytes of a read are processed before the next read.
const buffer = Buffer.allocUnsafe(1 << 18);
const sockets = new Set<Socket>();
const latencies: number[] = [];
let events = 0;
let lost = 0;
let target = { events: Infinity, reached: (): void => undefined };

function noteLatency(text: string): void {
  const at = text.indexOf(TIME_FIELD) + TIME_FIELD.length;
  latencies.push(Date.now() - Date.parse(text.slice(at, at + TIME_LENGTH)));
}

function open(index: number, { port, path, channels }: ReadersQuestion & { op: 'connect' }): Promise<void> {
  return new Promise((resolve, reject) => {
    let isUpgraded = false;
    const counter = createFrameCounter(
      { ping: () => void socket.write(PONG), subscribed: resolve, event: noteLatency },
      index % SAMPLED === 0,
    );
    const upgraded = (bytes: Buffer): Buffer => {
      const end = bytes.indexOf('\r\n\r\n');
      if (end < 0 || !bytes.toString('latin1', 0, 12).includes('101'))
        throw new Error(`no upgrade: ${bytes.toString('latin1')}`);
      isUpgraded = true;
      const channel = channels[index % channels.length];
      if (channel === undefined) resolve();
      else socket.write(clientFrame(JSON.stringify({ op: 'subscribe', id: 1, channels: [channel] })));
      return bytes.subarray(end + 4);
    };
    const read = (bytes: Buffer): boolean => {
      events += counter.read(isUpgraded ? bytes : upgraded(bytes));
      if (events >= target.events) target.reached();
      return true;
    };
    const socket = connect({
      host: '127.0.0.1',
      port,
      localAddress: `127.0.${1 + Math.floor(index / READERS_PER_ADDRESS)}.1`,
      onread: { buffer, callback: (length, into) => read(Buffer.from(into.buffer, into.byteOffset, length)) },
    });
    socket.setNoDelay(true);
    sockets.add(socket);
    socket.once('error', reject);
    socket.once('close', () => {
      sockets.delete(socket);
      lost += 1;
    });
    const key = Buffer.alloc(16, index % 251).toString('base64');
    socket.write(
      `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
        `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${key}\r\n\r\n`,
    );
  });
}

async function openAll(question: ReadersQuestion & { op: 'connect' }): Promise<void> {
  for (let from = 0; from < question.readers; from += CONNECTING_AT_ONCE) {
    const many = Math.min(CONNECTING_AT_ONCE, question.readers - from);
    await Promise.all(Array.from({ length: many }, (_, index) => open(from + index, question)));
  }
}

function figures(): ReadersAnswer {
  return { events, lost, cpuSeconds: cpuSeconds(), ...percentiles(latencies) };
}

answerQuestions<ReadersQuestion, ReadersAnswer>(async (question) => {
  if (question.op === 'connect') await openAll(question);
  if (question.op === 'reset') latencies.length = 0;
  if (question.op === 'await' && events < question.events)
    await new Promise<void>((resolve) => (target = { events: question.events, reached: resolve }));
  target = { events: Infinity, reached: () => undefined };
  return figures();
});
