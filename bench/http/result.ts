/** The result of the HTTP bench as a file, and the comparison of two such files. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { median, printTable } from '../report';
import type { Load } from './load';

export interface Row {
  what: string;
  /** The row that is the baseline of the ratios. A baseline names itself. */
  beside: string;
  /** Medians over the rounds. */
  cpuMicros: number;
  loadCpuMicros: number;
  rate: number;
  p99Ms: number;
  /** The least and the most of the rounds. */
  cpuLeast: number;
  cpuMost: number;
  /** Medians of the ratios within each round. */
  cpuRatio: number;
  rateRatio: number;
}

interface Result {
  setting: string;
  rows: Row[];
}

export function summaryOf(what: string, beside: string, rounds: readonly Map<string, Load>[]): Row {
  const pairs = rounds.map((loads) => {
    const [ours, base] = [loads.get(what), loads.get(beside)];
    if (ours === undefined || base === undefined)
      throw new Error(`${what} was not measured beside ${beside}`);
    return { ours, base };
  });
  const middle = (of: (load: Load) => number): number => median(pairs.map(({ ours }) => of(ours)));
  const cpu = pairs.map(({ ours }) => ours.cpuMicros);
  return {
    what,
    beside,
    cpuMicros: median(cpu),
    loadCpuMicros: middle((load) => load.loadCpuMicros),
    rate: middle((load) => load.rate),
    p99Ms: middle((load) => load.p99Ms),
    cpuLeast: Math.min(...cpu),
    cpuMost: Math.max(...cpu),
    cpuRatio: median(pairs.map(({ ours, base }) => ours.cpuMicros / base.cpuMicros)),
    rateRatio: median(pairs.map(({ ours, base }) => ours.rate / base.rate)),
  };
}

export function writeResult(setting: string, rows: Row[]): void {
  const file = process.env.BENCH_OUT ?? '.tmp/bench-http.json';
  const result: Result = { setting, rows };
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(result, null, 2)}\n`);
  console.log(`\nWritten to ${file}`);
}

const read = (file: string): Result => JSON.parse(readFileSync(file, 'utf8')) as Result;

/** Whether the two spreads have no value in common. */
export const isBeyondSpread = (before: Row, after: Row): boolean =>
  after.cpuLeast > before.cpuMost || after.cpuMost < before.cpuLeast;

/** `npm run bench -- compare before.json after.json` */
export function compareResults([first, second]: readonly string[]): void {
  if (first === undefined || second === undefined) throw new Error('compare needs two files');
  const [before, after] = [read(first), read(second)];
  console.log(`before: ${before.setting}\nafter:  ${after.setting}\n`);
  const earlier = new Map(before.rows.map((row) => [row.what, row]));
  const inBoth = after.rows.flatMap((row) => {
    const old = earlier.get(row.what);
    return old === undefined ? [] : [{ old, row }];
  });
  if (inBoth.length === 0) throw new Error('the two files have no row in common');
  printTable(
    ['what', 'CPU, µs', 'CPU, µs, after', 'change', 'beyond the spread', 'CPU to bare', 'after'],
    inBoth.map(({ old, row }) => [
      row.what,
      old.cpuMicros.toFixed(0),
      row.cpuMicros.toFixed(0),
      `${((row.cpuMicros / old.cpuMicros - 1) * 100).toFixed(0)} %`,
      isBeyondSpread(old, row) ? 'yes' : 'no',
      old.cpuRatio.toFixed(2),
      row.cpuRatio.toFixed(2),
    ]),
  );
  const lonely = before.rows.length + after.rows.length - 2 * inBoth.length;
  if (lonely > 0) console.log(`\n${lonely} rows are in one file only, and were not compared.`);
}
