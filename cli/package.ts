/** Finds the package that this code belongs to, in a checkout and where it is installed. */
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, isAbsolute, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { UsageError } from './needs-a-person';
import type { CommandContext } from './command-context';

export interface Manifest {
  name: string;
  version: string;
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
  peerDependencies: Record<string, string>;
}

// CommonJS has `__filename` and no usable `import.meta`.
const here =
  typeof __filename === 'string' && isAbsolute(__filename) ? __filename : fileURLToPath(import.meta.url);

/** The folder with the package.json of this package. */
export function packageFolder(): string {
  for (let folder = dirname(here); folder !== dirname(folder); folder = dirname(folder))
    if (existsSync(join(folder, 'package.json'))) return folder;
  throw new Error('the package.json of express-prediction-market is missing');
}

export function packageManifest(): Manifest {
  return JSON.parse(readFileSync(join(packageFolder(), 'package.json'), 'utf8')) as Manifest;
}

export const packageVersion = (): string => packageManifest().version;

/** The packages that each storage needs, in the order of their installation. */
export const DRIVERS = {
  sqlite: ['sequelize', 'sqlite3'],
  postgres: ['sequelize', 'pg'],
  memory: [],
} as const;

/** Throws one `UsageError` that names all missing packages, so that the person can install them with one command. */
export function requireInstalled(
  command: string,
  names: readonly string[],
  { isInstalled }: Pick<CommandContext, 'isInstalled'>,
): void {
  const missing = names.filter((name) => !isInstalled(name));
  if (missing.length > 0)
    throw new UsageError(
      `${command} needs packages that are not installed: npm install ${missing.join(' ')}`,
    );
}

/** Whether code of this package can load the package `name`. */
export function isInstalled(name: string): boolean {
  try {
    createRequire(here).resolve(name);
    return true;
  } catch {
    return false;
  }
}
