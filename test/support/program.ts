/** Each program is bundled into one file, because a start through a compiler takes much longer. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { madeOnce } from './run-folder';

const SUPPORT = join(process.cwd(), 'test', 'support');

export function program(script: string): string[] {
  const file = bundled(script);
  return file === null ? ['--import', 'tsx', script] : [join(SUPPORT, 'run-program.cjs'), file];
}

export function bundled(script: string): string | null {
  return madeOnce(`${script.replaceAll(/\W/g, '-')}.cjs`, (path) => {
    execFileSync(process.execPath, [join(SUPPORT, 'bundle-program.mjs'), script, path]);
  });
}
