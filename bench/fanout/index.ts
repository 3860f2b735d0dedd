/**
 * Compares the deliveries of the live feed with those of a bare loop, which sends a message to each client
 * through `ws`. The server, the readers and this process share the machine. The server and the process of the
 * readers each need as many file descriptors as there are readers (`ulimit -n`).
 */
import { rmSync } from 'node:fs';
import { environmentLine, printTable } from '../report';
import { bundled, startChild, type Child } from './child';
import type { ReadersAnswer, ReadersQuestion } from './readers';
import type { ServerAnswer, ServerQuestion } from './server';

const READERS = (process.env.BENCH_READERS ?? '1000,5000').split(',').map(Number);
const SECONDS = Number(process.env.BENCH_SECONDS ?? 3);
/** How many trades a burst makes at the same time. */
const BURSTS = [1, 16, 64];
/** How many bursts are under way at the same time, so that no process waits for another. */
const IN_FLIGHT = 4;
const STEADY_PER_SECOND = 200;
const TRADERS = 64;
const MARKETS = 20;

type Server = Child<ServerQuestion, ServerAnswer>;
type Readers = Child<ReadersQuestion, ReadersAnswer>;

interface Delivered {
  perSecond: number;
  /** CPU time for each delivery, in microseconds. */
  serverMicros: number;
  readerMicros: number;
}

interface Idle {
  heapBytes: number;
  residentBytes: number;
}

interface Setup {
  server: Server;
  readers: Readers;
  count: number;
  idle: Idle;
}

let programs = { server: '', readers: '' };

async function setUp(variant: string, count: number, channels: string[]): Promise<Setup> {
  const server: Server = startChild(programs.server, variant);
  const readers: Readers = startChild(programs.readers);
  const before = await server.ask({ op: 'start' });
  const path = variant === 'bare' ? '/' : '/api/v2/ws';
  const wanted = variant === 'bare' ? [] : channels;
  if (count > 0)
    await readers.ask({ op: 'connect', port: before.port, path, readers: count, channels: wanted });
  const after = await server.ask({ op: 'figures' });
  const each = (field: 'heapBytes' | 'residentBytes'): number => (after[field] - before[field]) / count;
  return {
    server,
    readers,
    count,
    idle: { heapBytes: each('heapBytes'), residentBytes: each('residentBytes') },
  };
}

/** Makes bursts for `SECONDS`, with at most `IN_FLIGHT` under way at the same time. */
async function busy({ server, readers, count }: Setup, burst: number): Promise<Delivered> {
  const [serverBefore, readersBefore] = await figuresOf(server, readers);
  const started = performance.now();
  const end = started + SECONDS * 1_000;
  let expected = readersBefore.events;
  const placed: Promise<unknown>[] = [];
  while (performance.now() < end) {
    placed.push(server.ask({ op: 'burst', count: burst }));
    expected += burst * count;
    if (placed.length >= IN_FLIGHT)
      await readers.ask({ op: 'await', events: expected - (IN_FLIGHT - 1) * burst * count });
  }
  await Promise.all(placed);
  await readers.ask({ op: 'await', events: expected });
  const elapsed = (performance.now() - started) / 1_000;
  const [serverAfter, readersAfter] = await figuresOf(server, readers);
  checkAllStay(readersAfter);
  const deliveries = readersAfter.events - readersBefore.events;
  return {
    perSecond: deliveries / elapsed,
    serverMicros: ((serverAfter.cpuSeconds - serverBefore.cpuSeconds) / deliveries) * 1e6,
    readerMicros: ((readersAfter.cpuSeconds - readersBefore.cpuSeconds) / deliveries) * 1e6,
  };
}

async function steady({ server, readers, count }: Setup): Promise<ReadersAnswer> {
  const before = await server.ask({ op: 'figures' });
  const { events } = await readers.ask({ op: 'reset' });
  const { sentCount } = await server.ask({ op: 'steady', perSecond: STEADY_PER_SECOND, seconds: SECONDS });
  const after = await readers.ask({ op: 'await', events: events + (sentCount - before.sentCount) * count });
  checkAllStay(after);
  return after;
}

function figuresOf(server: Server, readers: Readers): Promise<[ServerAnswer, ReadersAnswer]> {
  return Promise.all([server.ask({ op: 'figures' }), readers.ask({ op: 'figures' })]);
}

function checkAllStay({ lost }: ReadersAnswer): void {
  if (lost > 0) throw new Error(`${lost} readers were cut`);
}

interface Measured {
  idle: Idle;
  busy: Delivered[];
  steady: ReadersAnswer;
}

async function measure(variant: string, count: number): Promise<Measured> {
  const setup = await setUp(variant, count, ['trades']);
  const delivered: Delivered[] = [];
  for (const burst of BURSTS) delivered.push(await busy(setup, burst));
  const measured = { idle: setup.idle, busy: delivered, steady: await steady(setup) };
  await setup.readers.stop();
  await setup.server.stop();
  return measured;
}

const times = (value: number, base: number): string => `${(value / base).toFixed(1)} x`;

async function compare(count: number): Promise<void> {
  const bare = await measure('bare', count);
  const feed = await measure('feed', count);
  const rows = BURSTS.flatMap((burst, index) => {
    const base = bare.busy[index];
    const ours = feed.busy[index];
    if (base === undefined || ours === undefined) return [];
    const row = (
      what: string,
      { perSecond, serverMicros, readerMicros }: Delivered,
      ratio: string,
    ): string[] => {
      const micros = [serverMicros, readerMicros].map((value) => value.toFixed(2));
      return [what, String(burst), perSecond.toFixed(0), ratio, ...micros];
    };
    return [row('bare ws loop', base, ''), row('feed', ours, times(ours.perSecond, base.perSecond))];
  });
  console.log(`\n${count} readers of \`trades\``);
  printTable(
    ['what', 'trades at once', 'deliveries/s', 'to bare', 'server CPU us each', 'reader CPU us each'],
    rows,
  );
  console.log('');
  const idleRow = (what: string, { idle, steady: { p50Ms, p99Ms } }: Measured): string[] => {
    const kilobytes = [idle.heapBytes, idle.residentBytes].map((bytes) => (bytes / 1_024).toFixed(1));
    return [what, ...kilobytes, String(p50Ms), String(p99Ms)];
  };
  printTable(
    ['what', 'kB heap per idle reader', 'kB resident', `p50 ms at ${STEADY_PER_SECOND} trades/s`, 'p99 ms'],
    [idleRow('bare ws loop', bare), idleRow('feed', feed)],
  );
}

/**
 * Compares the trades per second with 1,000 readers and without readers. Each reader follows one market,
 * because no machine sends 1,000 readers all trades of a closed loop.
 */
async function tradesBeside(): Promise<void> {
  const rates: number[] = [];
  const markets = Array.from({ length: MARKETS }, (_, index) => `market:${index + 1}`);
  for (const count of [0, 1_000]) {
    const setup = await setUp('sqlite', count, markets);
    const load = { op: 'load', clients: TRADERS, seconds: SECONDS } as const;
    await setup.server.ask({ ...load, seconds: 1 });
    rates.push((await setup.server.ask(load)).tradesPerSecond);
    checkAllStay(await setup.readers.ask({ op: 'figures' }));
    await setup.readers.stop();
    await setup.server.stop();
  }
  const [without = 0, beside = 0] = rates;
  console.log('');
  printTable(
    [
      `trades/s on SQLite, ${TRADERS} traders, ${MARKETS} markets`,
      'without readers',
      'with 1,000 readers of single markets',
      'ratio',
    ],
    [['', without.toFixed(0), beside.toFixed(0), (beside / without).toFixed(2)]],
  );
}

export async function benchFanout(): Promise<void> {
  console.log(environmentLine(`${SECONDS} s each; server and readers in a process each`));
  programs = {
    server: await bundled('bench/fanout/server.ts'),
    readers: await bundled('bench/fanout/readers.ts'),
  };
  try {
    for (const count of READERS) await compare(count);
    await tradesBeside();
  } finally {
    for (const file of Object.values(programs)) rmSync(file);
  }
}
