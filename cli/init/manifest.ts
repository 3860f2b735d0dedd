/** The package.json of the app. Versions are those that this package is tested with. */
import { readFileSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { DRIVERS, packageFolder, packageManifest } from '../package';
import type { AppChoices } from './choices';

export function manifestOf(name: string, choices: AppChoices, packageSpec: string | undefined): string {
  const { name: ours, version, devDependencies } = packageManifest();
  const tested = (names: readonly string[]): Record<string, string> =>
    Object.fromEntries(names.map((each) => [each, devDependencies[each] ?? '*']));
  const manifest = {
    name,
    version: '0.1.0',
    private: true,
    type: 'module',
    engines: { node: '>=20.19' },
    scripts: {
      // Not `tsx src/main.ts`: it runs the app in one more process, which outlives npm.
      start: 'node --import tsx src/main.ts',
      dev: 'tsx watch src/main.ts',
      build: 'tsc -p tsconfig.build.json',
      'start:built': 'node dist/main.js',
      test: 'node --import tsx --test test/app.test.ts',
      types: 'tsc',
    },
    dependencies: {
      express: devDependencies['express'],
      [ours]: packageSpec ?? installedFrom(ours) ?? `^${version}`,
      ...tested(DRIVERS[choices.storage]),
      ...(choices.oracle === 'ai' && tested(['ai'])),
      ...tested(['tsx']),
    },
    devDependencies: tested(['@types/express', '@types/node', 'typescript']),
  };
  return `${JSON.stringify(manifest, null, 2)}\n`;
}

/**
 * The tarball from which npm has installed this package, if it was a file. An app that took the version from the
 * registry instead would get other code than the person has tried.
 */
function installedFrom(name: string): string | undefined {
  const modules = dirname(packageFolder());
  try {
    const lock = JSON.parse(readFileSync(join(modules, '.package-lock.json'), 'utf8')) as {
      packages?: Record<string, { resolved?: string } | undefined>;
    };
    const resolved = lock.packages?.[`node_modules/${name}`]?.resolved ?? '';
    const file = /^file:(.+\.tgz)$/.exec(resolved)?.[1];
    if (file === undefined) return undefined;
    return `file:${isAbsolute(file) ? file : resolve(dirname(modules), file)}`;
  } catch {
    return undefined;
  }
}
