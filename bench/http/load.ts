/**
 * Load by `wrk`, which needs much less processor time for a request than a server in Node. Its processor time is part
 * of the result, because a generator that needs as much as the server hides what the server costs.
 */
import { execFile, execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';

export const CONNECTIONS = Number(process.env.BENCH_CONNECTIONS ?? 50);

export interface Target {
  pid: number;
  url: string;
  method: 'GET' | 'POST';
  apiKey: string;
  /** Over how many markets the requests are spread. The address names the last of these markets. Default: 1. */
  markets?: number;
}

export interface Load {
  rate: number;
  p99Ms: number;
  /** The processor time of the server for one request, from the kernel's account of its process. */
  cpuMicros: number;
  loadCpuMicros: number;
}

/** The trades buy both sides in turn, so that the price stays near the middle in a long bench. */
export const TRADES = ['YES', 'NO'].map((side) => JSON.stringify({ side, amount: 1 }));

export function requireWrk(): void {
  try {
    execFileSync('wrk', ['--version'], { stdio: 'ignore' });
  } catch (error) {
    // wrk prints its version with the exit code 1.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT')
      throw new Error('this bench needs the program wrk: apt-get install wrk', { cause: error });
  }
}

let ticksPerSecond: number | undefined;

/** The processor time of a process with all its threads, in microseconds. */
export function processorTimeOf(pid: number): number {
  ticksPerSecond ??= Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));
  // The name of the program is in parentheses and may contain spaces.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  const [user, system] = [fields[11], fields[12]].map(Number);
  return (((user ?? 0) + (system ?? 0)) / ticksPerSecond) * 1e6;
}

/** The processor time of a server and of its workers, which are its children. */
function processorTimeOfServer(pid: number): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean);
  return [pid, ...children.map(Number)].reduce((sum, each) => sum + processorTimeOf(each), 0);
}

interface Report {
  requests: number;
  micros: number;
  failed: number;
  p99Micros: number;
}

export async function load(target: Target, seconds: number): Promise<Load> {
  const { pid, url, method, apiKey, markets = 1 } = target;
  const words = ['-t', '1', '-c', String(CONNECTIONS), '-d', `${seconds}s`, '-s', 'bench/http/load.lua', url];
  // `times` of the shell prints the processor time of its children.
  const script = 'wrk "$@" && times';
  const before = processorTimeOfServer(pid);
  const { stdout } = await promisify(execFile)(
    'sh',
    ['-c', script, 'wrk', ...words, '--', method, apiKey, ...TRADES],
    { env: { ...process.env, MARKETS: String(markets) } },
  );
  const used = processorTimeOfServer(pid) - before;
  const report = JSON.parse(/^\{.*\}$/m.exec(stdout)?.[0] ?? 'null') as Report | null;
  if (report === null || report.failed > 0)
    throw new Error(`${report?.failed ?? 'all'} requests failed, so the figures would mean nothing: ${url}`);
  const { requests, micros, p99Micros } = report;
  return {
    rate: requests / (micros / 1e6),
    p99Ms: p99Micros / 1000,
    cpuMicros: used / requests,
    loadCpuMicros: childTime(stdout) / requests,
  };
}

/** Reads the last line of `times`: the user's and the system's time of the children, such as `0m0.12s 0m0.34s`. */
function childTime(output: string): number {
  const [line = ''] = output.trimEnd().split('\n').slice(-1);
  return [...line.matchAll(/(\d+)m([\d.]+)s/g)]
    .map(([, minutes, seconds]) => Number(minutes) * 60e6 + Number(seconds) * 1e6)
    .reduce((sum, time) => sum + time, 0);
}
