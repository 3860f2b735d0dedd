import { fork, type ChildProcess } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { build } from 'esbuild';

export interface Child<Asked, Answer> {
  ask(question: Asked): Promise<Answer>;
  stop(): Promise<void>;
}

const FOLDER = '.tmp';

/**
 * Bundles a program as the package is built. Under `tsx`, extra code in each function would change the measured memory.
 */
export async function bundled(script: string): Promise<string> {
  const file = join(FOLDER, `bench-${process.pid}-${basename(script, '.ts')}.mjs`);
  mkdirSync(FOLDER, { recursive: true });
  const target = { platform: 'node', format: 'esm', packages: 'external' } as const;
  await build({ entryPoints: [script], outfile: file, bundle: true, ...target });
  return file;
}

/** The flags with which a process writes a CPU profile if `BENCH_PROFILE` names its variant, for example `feed`. */
function profiling(variant: string | undefined): string[] {
  const isWanted = variant !== undefined && process.env.BENCH_PROFILE === variant;
  return isWanted ? ['--cpu-prof', `--cpu-prof-dir=${FOLDER}`] : [];
}

export function startChild<Asked extends object, Answer>(
  file: string,
  ...options: string[]
): Child<Asked, Answer> {
  const process_: ChildProcess = fork(file, options, {
    execArgv: ['--expose-gc', ...profiling(options[0])],
    env: { ...process.env, NODE_ENV: 'production' },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const ended = new Promise<void>((resolve) => process_.once('exit', () => resolve()));
  const waiting = new Map<number, (answer: Answer) => void>();
  process_.on('message', ({ id, answer }: { id: number; answer: Answer }) => {
    waiting.get(id)?.(answer);
    waiting.delete(id);
  });
  let asked = 0;
  return {
    ask(question) {
      const id = (asked += 1);
      return new Promise((resolve, reject) => {
        waiting.set(id, resolve);
        void ended.then(() => reject(new Error(`${file} ended before it answered`)));
        process_.send({ id, question });
      });
    },
    async stop() {
      process_.disconnect();
      await ended;
    },
  };
}

/** Called in the child process. Answers each question of the parent, and ends the child when the parent disconnects. */
export function answerQuestions<Asked, Answer>(answerTo: (question: Asked) => Promise<Answer>): void {
  process.on('message', ({ id, question }: { id: number; question: Asked }) => {
    void answerTo(question).then(
      (answer) => process.send?.({ id, answer }),
      (error: unknown) => {
        console.error(error);
        process.exit(1);
      },
    );
  });
  process.once('disconnect', () => process.exit(0));
}

/** Seconds of CPU time that all threads of this process have used. */
export function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}
