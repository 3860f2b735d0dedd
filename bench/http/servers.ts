import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { bundled } from '../child';
import type { Answer, ServerInfo } from './calls';
import { TRADES, type Target } from './load';
import { openMarket } from './standalone-market';

export interface RunningServer extends ServerInfo {
  pid: number;
  stop(): Promise<void>;
}

export const PROFILES = '.tmp/profile';
const ADMIN_TOKEN = 'the-token-of-the-bench';

const profiling = (name: string): string[] =>
  process.env.BENCH_PROFILE === name ? ['--cpu-prof', `--cpu-prof-dir=${PROFILES}`] : [];

function running(child: ChildProcess, info: ServerInfo, end: () => void): RunningServer {
  const { pid } = child;
  if (pid === undefined) throw new Error('a server without a process');
  const ended = once(child, 'exit');
  return {
    ...info,
    pid,
    async stop() {
      end();
      await ended;
    },
  };
}

let program: Promise<string> | undefined;

export async function startBenchServer(
  variant: string,
  environment: Record<string, string> = {},
): Promise<RunningServer> {
  const file = await (program ??= bundled('bench/http/server.ts'));
  const child = spawn(
    process.execPath,
    [...(variant === 'bare' ? [] : profiling('library')), file, variant],
    {
      stdio: ['pipe', 'pipe', 'inherit'],
      env: { ...process.env, NODE_ENV: 'production', ...environment },
    },
  );
  for await (const line of createInterface({ input: child.stdout })) {
    if (line.startsWith('{')) return running(child, JSON.parse(line) as ServerInfo, () => child.stdin.end());
  }
  throw new Error(`the ${variant} server ended before it listened`);
}

/**
 * Starts what `npm start` runs, with logs in a file. The limits of requests are raised, because the load would exceed
 * the usual limits.
 */
export async function startStandalone(environment: Record<string, string>): Promise<RunningServer> {
  execFileSync(process.execPath, ['scripts/build-server.mjs', '--if-changed'], { stdio: 'inherit' });
  const folder = mkdtempSync(join(tmpdir(), 'prediction-market-bench-'));
  const child = spawn(process.execPath, [...profiling('standalone'), 'built-server/server.cjs'], {
    stdio: ['ignore', openSync(join(folder, 'server.log'), 'w'), 'pipe'],
    env: {
      PATH: process.env.PATH,
      NODE_ENV: 'production',
      PORT: '0',
      ADMIN_TOKEN,
      ADDRESS_RATE_LIMIT: '1000000',
      EXPOSURE_LIMIT: '1000000000',
      DATABASE_URL: `sqlite:${join(folder, 'markets.db')}`,
      ...environment,
    },
  });
  // A bench that fails leaves no server behind.
  process.once('exit', () => child.kill('SIGKILL'));
  const { stderr } = child;
  if (stderr === null) throw new Error('npm start without standard error');
  for await (const line of createInterface({ input: stderr })) {
    const base = /listening on (http:\S+)/.exec(line)?.[1];
    if (base === undefined) continue;
    const info = await openMarket(base.replace('localhost', '127.0.0.1'), ADMIN_TOKEN);
    const server = running(child, info, () => child.kill('SIGTERM'));
    return {
      ...server,
      async stop() {
        await server.stop();
        rmSync(folder, { recursive: true, force: true });
      },
    };
  }
  throw new Error('npm start ended before it listened');
}

/** Headers that Express or Node sets by itself. */
const OWN_HEADERS = [
  'connection',
  'content-length',
  'content-type',
  'date',
  'etag',
  'keep-alive',
  'x-powered-by',
];

export async function answerOf({ url, method, apiKey }: Target): Promise<Answer> {
  const response = await fetch(url, {
    method,
    headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
    ...(method === 'POST' && { body: TRADES[0] ?? '' }),
  });
  const headers = Object.fromEntries([...response.headers].filter(([name]) => !OWN_HEADERS.includes(name)));
  return { status: response.status, headers, body: await response.json() };
}
