/**
 * Our programs as processes. Each is bundled into one file, because a start through a compiler takes eight
 * times as long.
 */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { madeOnce } from './run-folder';

/** Arguments of Node that run the program; `script` is a path from the root of the project. */
export function program(script: string): string[] {
  const support = join(process.cwd(), 'test', 'support');
  const file = madeOnce(`${script.replaceAll(/\W/g, '-')}.cjs`, (path) => {
    execFileSync(process.execPath, [join(support, 'bundle-program.mjs'), script, path]);
  });
  return file === null ? ['--import', 'tsx', script] : [join(support, 'run-program.cjs'), file];
}
