import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { program } from '../../support/program';

export interface Running {
  child: ChildProcess;
  output(): string;
  errors(): string;
  exit: Promise<number | null>;
}

const directly = (): string[] => [process.execPath, ...program('examples/standalone/main.ts')];

export function start(
  environment: Record<string, string>,
  [file = '', ...words] = directly(),
  folder = process.cwd(),
): Running {
  const { PATH, HOME } = process.env;
  const child = spawn(file, words, {
    cwd: folder,
    env: { PATH, HOME, DATABASE_URL: 'memory:', PORT: '0', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const texts = { output: '', errors: '' };
  child.stdout.on('data', (part: Buffer) => (texts.output += part.toString()));
  child.stderr.on('data', (part: Buffer) => (texts.errors += part.toString()));
  const exit = once(child, 'close').then(([code]) => code as number | null);
  return { child, output: () => texts.output, errors: () => texts.errors, exit };
}

export async function address(running: Running): Promise<string> {
  for (;;) {
    const found = /listening on (http:\S+)/.exec(running.errors())?.[1];
    // The banner arrives in one write, so its last line is complete.
    if (found !== undefined) return found.replace('localhost', '127.0.0.1');
    const next = await Promise.race([once(running.child.stderr!, 'data'), running.exit]);
    if (typeof next === 'number') throw new Error(`ended with ${next}: ${running.errors()}`);
  }
}
