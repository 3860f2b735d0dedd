import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { program } from '../support/program';
import { until } from '../support/until';
import type { Order, ProgramSettings } from './mortal-program';

const TIME_LIMIT_MS = 30_000;

export interface MortalServer {
  base: string;
  tell(order: Order): Promise<void>;
  isDead(): boolean;
  hasDied(): Promise<void>;
  hasPaused(): Promise<void>;
  wake(): void;
  kill(): Promise<void>;
}

export interface Standby<Settings extends ProgramSettings> {
  start(settings: Settings): Promise<MortalServer>;
  kill(): Promise<void>;
}

export function standBy<Settings extends ProgramSettings>(
  script: string,
  storage: string,
): Standby<Settings> {
  const child = spawn(process.execPath, [...program(script), storage], {
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], NODE_ENV: 'production' },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const isDead = (): boolean => child.exitCode !== null || child.signalCode !== null;
  const lines: string[] = [];
  let errors = '';
  child.stderr.on('data', (part: Buffer) => (errors += String(part)));
  // Writing to a process that has died emits an error, which is expected here.
  child.stdin.on('error', () => undefined);
  createInterface({ input: child.stdout }).on('line', (line) => lines.push(line));
  const next = async (word: string): Promise<string> => {
    const missing = (): string => `${word} of the server: ${errors}`;
    await until(() => lines.length > 0 || isDead(), { what: missing, withinMs: TIME_LIMIT_MS });
    const line = lines.shift();
    if (line?.split(' ')[0] !== word) throw new Error(missing());
    return line;
  };
  const tell = (line: Settings | Order): void => void child.stdin.write(`${JSON.stringify(line)}\n`);
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
