/**
 * Compares the deliveries of the live feed with those of a bare loop, which sends a message to each client
 * through `ws`. The server, the readers and this process share the machine. The server and the process of the
 * readers each need as many file descriptors as there are readers (`ulimit -n`).
 */
import { rmSync } from 'node:fs';
import { environmentLine, printGoals, printTable, type Goal } from '../report';
import { benchTradesBesideReaders } from './beside';
import { bundled } from '../child';
import { busy, steady, withSetup, type Delivered, type Programs, type Setup } from './measure';
import type { ReadersAnswer } from './readers';

/** With `BENCH_READERS=0` only the trades beside readers are measured (beside.ts). */
const READERS = (process.env.BENCH_READERS ?? '1000,5000')
  .split(',')
  .map(Number)
  .filter((count) => count > 0);
const SECONDS = Number(process.env.BENCH_SECONDS ?? 3);
const BURSTS = [1, 16, 64];
const STEADY_PER_SECOND = 200;
/** The number of readers for which the time until arrival has a goal. */
const GOAL_READERS = 1_000;

interface Measured {
  idle: Setup['idle'];
  busy: Delivered[];
  steady: ReadersAnswer;
}

function measure(programs: Programs, variant: 'bare' | 'feed', readers: number): Promise<Measured> {
  return withSetup({ programs, variant, readers, channels: ['trades'] }, async (setup) => {
    const delivered: Delivered[] = [];
    for (const burst of BURSTS) delivered.push(await busy(setup, burst, SECONDS));
    return { idle: setup.idle, busy: delivered, steady: await steady(setup, STEADY_PER_SECOND, SECONDS) };
  });
}

async function compare(programs: Programs, count: number): Promise<Goal[]> {
  const bare = await measure(programs, 'bare', count);
  const feed = await measure(programs, 'feed', count);
  printDelivered(count, bare, feed);
  printIdle(bare, feed);
  const readers = `${count} readers`;
  const deliveries = (measured: Measured): number => measured.busy.at(-1)?.perSecond ?? NaN;
  const goals: Goal[] = [
    {
      what: `${readers}, ${BURSTS.at(-1)} trades at once: deliveries to bare`,
      value: deliveries(feed) / deliveries(bare),
      atLeast: 8,
    },
    {
      what: `${readers}: heap of an idle one to bare`,
      value: feed.idle.heapBytes / bare.idle.heapBytes,
      atMost: 2,
    },
  ];
  if (count === GOAL_READERS)
    goals.push({ what: `${readers}: p99 of the arrival, ms`, value: feed.steady.p99Ms, atMost: 50 });
  return goals;
}

function printDelivered(count: number, bare: Measured, feed: Measured): void {
  const row = (what: string, burst: number, delivered: Delivered, ratio: string): string[] => {
    const micros = [delivered.serverMicros, delivered.readerMicros].map((value) => value.toFixed(2));
    return [what, String(burst), ...micros, delivered.perSecond.toFixed(0), ratio];
  };
  const rows = BURSTS.flatMap((burst, index) => {
    const base = bare.busy[index];
    const ours = feed.busy[index];
    if (base === undefined || ours === undefined) return [];
    const ratio = `${(ours.perSecond / base.perSecond).toFixed(1)} x`;
    return [row('bare ws loop', burst, base, ''), row('feed', burst, ours, ratio)];
  });
  console.log(`\n${count} readers of \`trades\``);
  printTable(
    ['what', 'trades at once', 'server CPU us each', 'reader CPU us each', 'deliveries/s', 'to bare'],
    rows,
  );
}

function printIdle(bare: Measured, feed: Measured): void {
  const row = (what: string, { idle, steady: { p50Ms, p99Ms } }: Measured): string[] => {
    const kilobytes = [idle.heapBytes, idle.residentBytes].map((bytes) => (bytes / 1_024).toFixed(1));
    return [what, ...kilobytes, String(p50Ms), String(p99Ms)];
  };
  console.log('');
  printTable(
    ['what', 'kB heap per idle reader', 'kB resident', `p50 ms at ${STEADY_PER_SECOND} trades/s`, 'p99 ms'],
    [row('bare ws loop', bare), row('feed', feed)],
  );
}

export async function benchFanout(): Promise<boolean> {
  console.log(environmentLine(`${SECONDS} s each; server and readers in a process each`));
  const programs = {
    server: await bundled('bench/fanout/server.ts'),
    readers: await bundled('bench/fanout/readers.ts'),
  };
  try {
    const goals: Goal[] = [];
    for (const count of READERS) goals.push(...(await compare(programs, count)));
    goals.push(...(await benchTradesBesideReaders(programs, SECONDS)));
    return printGoals(goals);
  } finally {
    for (const file of Object.values(programs)) rmSync(file);
  }
}
