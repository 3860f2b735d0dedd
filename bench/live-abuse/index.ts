/**
 * Measures how long the trades and the messages of good clients take, without bad clients and during each abuse. The
 * server, the good clients and the bad clients are a process each, and share the machine.
 */
import { rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { bundled, startChild, type Child } from '../child';
import { environmentLine, printTable } from '../report';
import { ABUSES, type AbuseName } from './abuses';
import type { AbuserAnswer, AbuserQuestion } from './abusers';
import type { ServerAnswer, ServerQuestion } from './server';
import type { Latencies, WitnessAnswer, WitnessQuestion } from './witness';

const SECONDS = Number(process.env.BENCH_SECONDS ?? 8);
const READERS = 50;
const TRADES_PER_SECOND = 100;
const MARKETS = 1_000;
/** The trades before the measurement, which a client that catches up has missed. */
const HISTORY = 6_400;
/**
 * The goal is met if there are no faults, and p99 with an abuse is at most `times` the p99 without it, or at
 * most `moreMs` above it.
 */
const GOAL = { times: 2, moreMs: 10 };
const LONGEST_END_MS = 30_000;
const LOOK_MS = 100;

interface Bench {
  server: Child<ServerQuestion, ServerAnswer>;
  witness: Child<WitnessQuestion, WitnessAnswer>;
  abusers: Child<AbuserQuestion, AbuserAnswer>;
  world: ServerAnswer;
}

interface Measured extends WitnessAnswer {
  /** The CPU time of the server, as a share of one core. */
  cpuShare: number;
  after: ServerAnswer;
}

async function measure({ server, witness, world }: Bench): Promise<Measured> {
  const before = await server.ask({ op: 'figures' });
  const begun = performance.now();
  const { port, holders, markets } = world;
  const load = { op: 'trade', perSecond: TRADES_PER_SECOND, seconds: SECONDS } as const;
  const answer = await witness.ask({ ...load, port, holders, markets: markets.slice(0, 20) });
  const elapsed = (performance.now() - begun) / 1_000;
  const after = await server.ask({ op: 'figures' });
  return { ...answer, cpuShare: (after.cpuSeconds - before.cpuSeconds) / elapsed, after };
}

async function beside(bench: Bench, name: AbuseName): Promise<string[]> {
  const { server, abusers, world } = bench;
  const alone = await measure(bench);
  const { port, markets, epoch } = world;
  await abusers.ask({ op: 'begin', name, port, markets, epoch });
  const abused = await measure(bench);
  const { opened } = await abusers.ask({ op: 'end' });
  await onlyReadersLeft(server);
  const closed = closedSince(alone.after, abused.after);
  const verdict = isMet(alone.trades, abused.trades) && isMet(alone.deliveries, abused.deliveries);
  return [
    name,
    ...comparison(alone.trades, abused.trades),
    ...comparison(alone.deliveries, abused.deliveries),
    `${percent(alone.cpuShare)} / ${percent(abused.cpuShare)}`,
    `${((abused.after.residentBytes - alone.after.residentBytes) / 1_048_576).toFixed(0)} MB`,
    `${opened} opened${closed}`,
    String(alone.faults + abused.faults),
    verdict && abused.faults === 0 ? 'met' : 'missed',
  ];
}

function comparison(alone: Latencies, abused: Latencies): string[] {
  const ratio = (abused.p99Ms / Math.max(1, alone.p99Ms)).toFixed(1);
  return [alone.p99Ms.toFixed(0), abused.p99Ms.toFixed(0), `${ratio} x`];
}

function isMet(alone: Latencies, abused: Latencies): boolean {
  return abused.p99Ms <= Math.max(GOAL.times * alone.p99Ms, alone.p99Ms + GOAL.moreMs);
}

function closedSince(before: ServerAnswer, after: ServerAnswer): string {
  return Object.entries(after.closed)
    .map(([code, count]) => ({ code, count: count - (before.closed[Number(code)] ?? 0) }))
    .filter(({ count }) => count > 0)
    .map(({ code, count }) => `, ${count} closed ${code}`)
    .join('');
}

const percent = (share: number): string => `${(100 * share).toFixed(0)}%`;

async function onlyReadersLeft(server: Bench['server']): Promise<void> {
  const end = performance.now() + LONGEST_END_MS;
  while ((await server.ask({ op: 'figures' })).open > READERS) {
    if (performance.now() > end) throw new Error('sockets of bad clients stay open');
    await sleep(LOOK_MS);
  }
}

async function compare(bench: Bench): Promise<void> {
  const names = (process.env.BENCH_ABUSES?.split(';') ?? Object.keys(ABUSES)) as AbuseName[];
  const rows: string[][] = [];
  await measure(bench);
  for (const name of names) rows.push(await beside(bench, name));
  printTable(
    ['abuse', 'trade p99 ms without', 'with', 'ratio', 'delivery p99 ms without', 'with', 'ratio']
      .concat(['server CPU without / with', 'memory', 'sockets of bad clients', 'faults'])
      .concat(`<= ${GOAL.times} x or ${GOAL.moreMs} ms more`),
    rows,
  );
}

export async function benchLiveAbuse(): Promise<void> {
  const size = `${READERS} readers, ${TRADES_PER_SECOND} trades/s, ${MARKETS} markets`;
  console.log(environmentLine(`${size}, ${SECONDS} s each; server, good and bad clients in a process each`));
  const files = await Promise.all(
    ['server', 'witness', 'abusers'].map((name) => bundled(`bench/live-abuse/${name}.ts`)),
  );
  const [server = '', witness = '', abusers = ''] = files;
  const bench = { server: startChild<ServerQuestion, ServerAnswer>(server, 'live-abuse') };
  try {
    const started = {
      ...bench,
      witness: startChild<WitnessQuestion, WitnessAnswer>(witness),
      abusers: startChild<AbuserQuestion, AbuserAnswer>(abusers),
      world: await bench.server.ask({ op: 'start', markets: MARKETS, trades: HISTORY }),
    };
    await started.witness.ask({ op: 'connect', port: started.world.port, readers: READERS });
    await compare(started);
    await Promise.all([started.witness, started.abusers].map((child) => child.stop()));
  } finally {
    await bench.server.stop();
    for (const file of files) rmSync(file);
  }
}
