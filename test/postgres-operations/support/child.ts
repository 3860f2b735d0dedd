import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { program } from '../../support/program';

export interface Child {
  process: ChildProcess;
  onLine(listener: (line: string) => void): void;
  errors(): string;
  ended: Promise<number | NodeJS.Signals>;
  /** Sends SIGKILL. Resolves when the process has ended and all of its output was read. */
  kill(): Promise<void>;
}

export function startChild(
  script: string,
  args: readonly string[],
  environment: Record<string, string> = {},
): Child {
  const { PATH, HOME } = process.env;
  const child = spawn(process.execPath, [...program(script), ...args], {
    env: { PATH, HOME, NODE_ENV: 'production', ...environment },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let errors = '';
  child.stderr.on('data', (part: Buffer) => (errors += String(part)));
  const lines = createInterface({ input: child.stdout });
  const closed = once(child, 'close');
  const ended = Promise.all([closed, once(lines, 'close')]).then(
    ([[code, signal]]) => (code ?? signal) as number | NodeJS.Signals,
  );
  return {
    process: child,
    onLine: (listener) => void lines.on('line', listener),
    errors: () => errors,
    ended,
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
