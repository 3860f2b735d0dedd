/** Notices a file .env that the operator may expect the server to read. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import type { Environment } from './checks';

/** A line for the banner if the folder has a file .env with a variable that the environment lacks. */
export function envFileLines(environment: Environment, folder = process.cwd()): string[] {
  let names: string[];
  try {
    names = Object.keys(parseEnv(readFileSync(join(folder, '.env'), 'utf8')));
  } catch {
    return [];
  }
  // Node's --env-file, or a shell, may have loaded the file already.
  if (names.every((name) => environment[name] !== undefined)) return [];
  return [
    '  WARNING    a file .env is here and is not read: `node --env-file=.env` reads it (docs/standalone.md)',
  ];
}
