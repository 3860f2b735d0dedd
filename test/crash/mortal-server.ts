/** The server of `payment-server.ts` as processes of its own, each one an heir of the one before. */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { until } from '../support/until';
import type { Order, ServerSettings } from './payment-server';

const TIME_LIMIT_MS = 30_000;

export interface MortalServer {
  base: string;
  tell(order: Order): Promise<void>;
  isDead(): boolean;
  /** Fulfilled when it is dead; rejects when it does not die by itself. */
  hasDied(): Promise<void>;
  /** Fulfilled when it stands still. */
  hasPaused(): Promise<void>;
  /** It goes on. */
  wake(): void;
  /** Ends it without a warning. */
  kill(): Promise<void>;
}

/** Packages with native parts, or packages that look for such parts themselves. */
const NOT_BUNDLED = ['pg', 'sequelize', 'sqlite3'];
/** Packages in the old format ask for Node's own by `require`. */
const REQUIRE = "import{createRequire}from'node:module';const require=createRequire(import.meta.url);";

/** The server is bundled into one file of JavaScript, which starts in a third of the time. */
export function bundleServer(): { file: string; remove(): void } {
  // Inside of the project, where its packages are found.
  const file = resolve(process.cwd(), '.tmp', `payment-server-${process.pid}.mjs`);
  const options = ['--bundle', '--minify', '--platform=node', '--format=esm', '--log-level=error'];
  for (const name of NOT_BUNDLED) options.push(`--external:${name}`);
  const bundler = resolve(process.cwd(), 'node_modules', '.bin', 'esbuild');
  execFileSync(bundler, [
    join(__dirname, 'payment-server.ts'),
    ...options,
    `--banner:js=${REQUIRE}`,
    `--outfile=${file}`,
  ]);
  return { file, remove: () => rmSync(file, { force: true }) };
}

/** A process that has loaded its program and waits for its settings. */
export interface Standby {
  /** Fulfilled when it listens. */
  start(settings: ServerSettings): Promise<MortalServer>;
  kill(): Promise<void>;
}

export function standBy(file: string): Standby {
  const child = spawn(process.execPath, ['--no-opt', file], {
    // Without the optimizing compiler, which does not pay off in such a short life.
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], NODE_ENV: 'production' },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const isDead = (): boolean => child.exitCode !== null || child.signalCode !== null;
  const lines: string[] = [];
  let errors = '';
  child.stderr.on('data', (part: Buffer) => (errors += String(part)));
  // Orders may be on their way to a process that dies.
  child.stdin.on('error', () => undefined);
  createInterface({ input: child.stdout }).on('line', (line) => lines.push(line));
  const next = async (word: string): Promise<string> => {
    const missing = (): string => `${word} of the server: ${errors}`;
    await until(() => lines.length > 0 || isDead(), { what: missing, withinMs: TIME_LIMIT_MS });
    const line = lines.shift();
    if (line?.split(' ')[0] !== word) throw new Error(missing());
    return line;
  };
  const tell = (line: ServerSettings | Order): void => void child.stdin.write(`${JSON.stringify(line)}\n`);
  const kill = (): Promise<void> => end(child);
  return {
    kill,
    async start(settings) {
      tell(settings);
      const [, port] = (await next('listening')).split(' ');
      return {
        base: `http://127.0.0.1:${String(port)}`,
        async tell(order) {
          tell(order);
          await next('done');
        },
        isDead,
        hasDied: () =>
          until(isDead, { what: () => `the death of the server: ${errors}`, withinMs: TIME_LIMIT_MS }),
        hasPaused: async () => void (await next('paused')),
        wake: () => void child.kill('SIGCONT'),
        kill,
      };
    },
  };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}
