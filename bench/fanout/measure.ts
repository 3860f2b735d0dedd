import { startChild, type Child } from '../child';
import type { ReadersAnswer, ReadersQuestion } from './readers';
import type { ServerAnswer, ServerQuestion } from './server';

/** The number of bursts under way at the same time. Several bursts keep both processes busy. */
const IN_FLIGHT = 4;

export interface Programs {
  server: string;
  readers: string;
}

export interface Wanted {
  programs: Programs;
  variant: 'bare' | 'feed' | 'sqlite';
  readers: number;
  /** Reader `n` subscribes to the channel `channels[n % channels.length]`. */
  channels: string[];
  /** The process of the readers has the lowest priority, so that it hardly slows the server. */
  yielding?: boolean;
}

export interface Setup {
  server: Child<ServerQuestion, ServerAnswer>;
  readers: Child<ReadersQuestion, ReadersAnswer>;
  count: number;
  /** The memory of the server for each idle reader. */
  idle: { heapBytes: number; residentBytes: number };
}

export interface Work {
  serverMicros: number;
  readerMicros: number;
  sentCount: number;
  events: number;
}

export async function withSetup<T>(wanted: Wanted, measure: (setup: Setup) => Promise<T>): Promise<T> {
  const setup = await setUp(wanted);
  const result = await measure(setup);
  const { lost } = await setup.readers.ask({ op: 'figures' });
  if (lost > 0) throw new Error(`${lost} readers were cut`);
  await setup.readers.stop();
  await setup.server.stop();
  return result;
}

async function setUp({ programs, variant, readers: count, channels, yielding }: Wanted): Promise<Setup> {
  const server: Setup['server'] = startChild(programs.server, variant);
  const readers: Setup['readers'] = startChild(programs.readers, yielding === true ? 'yielding' : 'equal');
  const { port } = await server.ask({ op: 'start' });
  const before = await server.ask({ op: 'memory' });
  const [path, wanted] = variant === 'bare' ? ['/', []] : ['/api/v2/ws', channels];
  if (count > 0) await readers.ask({ op: 'connect', port, path, readers: count, channels: wanted });
  const after = await server.ask({ op: 'memory' });
  const each = (field: keyof Setup['idle']): number => (after[field] - before[field]) / count;
  return {
    server,
    readers,
    count,
    idle: { heapBytes: each('heapBytes'), residentBytes: each('residentBytes') },
  };
}

export async function workOf({ server, readers }: Setup, load: () => Promise<unknown>): Promise<Work> {
  const look = () => Promise.all([server.ask({ op: 'figures' }), readers.ask({ op: 'figures' })]);
  const [serverBefore, readersBefore] = await look();
  await load();
  const [serverAfter, readersAfter] = await look();
  return {
    serverMicros: (serverAfter.cpuSeconds - serverBefore.cpuSeconds) * 1e6,
    readerMicros: (readersAfter.cpuSeconds - readersBefore.cpuSeconds) * 1e6,
    sentCount: serverAfter.sentCount - serverBefore.sentCount,
    events: readersAfter.events - readersBefore.events,
  };
}

export interface Delivered {
  serverMicros: number;
  readerMicros: number;
  perSecond: number;
}

/** Makes bursts for `seconds`, with at most `IN_FLIGHT` under way at the same time. */
export async function busy(setup: Setup, burst: number, seconds: number): Promise<Delivered> {
  const { server, readers, count } = setup;
  let { events: expected } = await readers.ask({ op: 'figures' });
  const started = performance.now();
  const { serverMicros, readerMicros, events } = await workOf(setup, async () => {
    const placed: Promise<unknown>[] = [];
    while (performance.now() < started + seconds * 1_000) {
      placed.push(server.ask({ op: 'burst', count: burst }));
      expected += burst * count;
      if (placed.length >= IN_FLIGHT)
        await readers.ask({ op: 'await', events: expected - (IN_FLIGHT - 1) * burst * count });
    }
    await Promise.all(placed);
    await readers.ask({ op: 'await', events: expected });
  });
  const elapsed = (performance.now() - started) / 1_000;
  return {
    serverMicros: serverMicros / events,
    readerMicros: readerMicros / events,
    perSecond: events / elapsed,
  };
}

/**
 * Trades at a steady rate, and waits until all messages have arrived. Returns the times from the fact to its arrival.
 */
export async function steady(
  { server, readers, count }: Setup,
  perSecond: number,
  seconds: number,
): Promise<ReadersAnswer> {
  const { events } = await readers.ask({ op: 'reset' });
  const before = await server.ask({ op: 'figures' });
  const after = await server.ask({ op: 'steady', perSecond, seconds });
  return readers.ask({ op: 'await', events: events + (after.sentCount - before.sentCount) * count });
}
