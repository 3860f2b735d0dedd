import { readFileSync } from 'node:fs';
import { itemsOf, readPage } from '../support/markdown';

interface Manifest {
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
  peerDependencies: Record<string, string>;
  optionalDependencies: Record<string, string>;
}

describe('docs/dependencies.md', () => {
  const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as Manifest;
  const standalone = JSON.parse(readFileSync('examples/standalone/package.json', 'utf8')) as Pick<
    Manifest,
    'dependencies'
  >;
  const [, ...sections] = readPage('docs/dependencies.md').split(/^## .*$/m);
  const listed = (section: string | undefined): string[] =>
    itemsOf(section ?? '')
      // The text before the colon names the packages of an item. The text after the colon may name other packages.
      .flatMap((item) =>
        [...(item.split('`: ')[0] + '`').matchAll(/`([^`]+)`/g)].map(([, name]) => name ?? ''),
      );

  it.each([
    ['dependencies', 0],
    ['peerDependencies', 1],
    ['optionalDependencies', 2],
  ] as const)('says why for all %s', (kind, section) => {
    expect(listed(sections[section]).sort()).toEqual(Object.keys(manifest[kind]).sort());
  });

  it('says why for all development dependencies that are not drivers', () => {
    const drivers = Object.keys(manifest.peerDependencies);
    const others = Object.keys(manifest.devDependencies).filter((name) => !drivers.includes(name));
    expect(listed(sections[3]).sort()).toEqual(others.sort());
  });

  it('says why for all dependencies of the standalone server', () => {
    expect(listed(sections[4]).sort()).toEqual(Object.keys(standalone.dependencies).sort());
  });

  it('has the standalone server in the versions of the library and its tests', () => {
    const { dependencies, devDependencies } = manifest;
    const ours: Record<string, string> = { ...dependencies, ...devDependencies };
    for (const [name, version] of Object.entries(standalone.dependencies))
      expect([name, ours[name] ?? version]).toEqual([name, version]);
  });
});
