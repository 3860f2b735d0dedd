import { existsSync, readdirSync } from 'node:fs';
import { mkdir, mkdtemp, readlink, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { command, root } from './support';

const prune = (packages: string) =>
  command(process.execPath, [join(root, 'scripts/prune-packages.mjs'), packages], root);

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'prune-packages-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function write(files: string[], given?: { inside: string; manifest: string }): Promise<void> {
  const inside = join(folder, given?.inside ?? '');
  for (const file of files) {
    await mkdir(dirname(join(inside, file)), { recursive: true });
    await writeFile(join(inside, file), file.endsWith('.json') ? '{"type":"module"}' : 'text');
  }
  if (given !== undefined) await writeFile(join(inside, 'package.json'), given.manifest);
}

const filesIn = (inside: string): string[] =>
  readdirSync(join(folder, inside), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();

describe('scripts/prune-packages.mjs', () => {
  it('deletes the source maps of scripts, types and styles, in packages within packages too', async () => {
    const kept = [
      'node_modules/one/index.js',
      'node_modules/one/map.js',
      'node_modules/one/src/source.map.ts',
      'node_modules/one/places.map',
      'node_modules/@scope/two/index.d.ts',
    ];
    await write([
      ...kept,
      'node_modules/one/index.js.map',
      'node_modules/one/node_modules/three/index.mjs.map',
      'node_modules/@scope/two/index.cjs.map',
      'node_modules/@scope/two/index.d.ts.map',
      'node_modules/@scope/two/index.d.mts.map',
      'node_modules/@scope/two/index.d.cts.map',
      'node_modules/@scope/two/style.css.map',
    ]);
    expect(await prune(join(folder, 'node_modules'))).toMatchObject({ code: 0 });
    expect(filesIn('node_modules')).toEqual(kept.sort());
  });

  it('deletes the TypeScript sources of packages that have types, with the folders that are empty then', async () => {
    const types = JSON.stringify({ name: 'one', exports: { '.': { types: './types.d.ts' } } });
    const kept = ['types.d.ts', 'types.d.mts', 'index.js', 'more/index.js', 'more/package.json'];
    await write(
      [...kept, 'index.ts', 'src/view.tsx', 'src/deep/module.mts', 'src/common.cts', 'more/index.ts'],
      {
        inside: 'node_modules/one',
        manifest: types,
      },
    );
    expect(await prune(join(folder, 'node_modules'))).toMatchObject({ code: 0 });
    expect(filesIn('node_modules')).toEqual(
      [...kept, 'package.json'].map((file) => `node_modules/one/${file}`).sort(),
    );
    expect(existsSync(join(folder, 'node_modules/one/src'))).toBe(false);
  });

  it.each([
    ['that name them', { exports: { '.': { source: './src/index.ts', types: './index.d.ts' } } }],
    ['whose older entry names them', { types: './index.d.ts', main: './src/index.ts' }],
    ['that do not say where their types are', { main: './index.js' }],
  ])('keeps the TypeScript sources of packages %s', async (_which, manifest) => {
    const files = ['index.d.ts', 'index.js', 'src/index.ts'];
    await write(files, {
      inside: 'node_modules/one',
      manifest: JSON.stringify({ name: 'one', ...manifest }),
    });
    // The package.json of an inner package applies only to that package.
    const inner = { inside: 'node_modules/one/node_modules/two', manifest: '{"types":"index.d.ts"}' };
    await write(['index.d.ts', 'index.ts'], inner);
    expect(await prune(join(folder, 'node_modules'))).toMatchObject({ code: 0 });
    expect(filesIn('node_modules')).toEqual(
      [...[...files, 'package.json'].map((file) => `one/${file}`), 'one/node_modules/two/index.d.ts']
        .concat('one/node_modules/two/package.json')
        .map((file) => `node_modules/${file}`)
        .sort(),
    );
  });

  it('keeps everything of a package whose package.json cannot be read', async () => {
    await write(['index.d.ts', 'index.ts'], { inside: 'node_modules/one', manifest: '{"types":' });
    expect(await prune(join(folder, 'node_modules'))).toMatchObject({ code: 0 });
    expect(filesIn('node_modules/one')).toContain('node_modules/one/index.ts');
  });

  it('deletes what compiling a native module leaves behind, and keeps the module and its sources', async () => {
    const kept = [
      'node_modules/native/binding.gyp',
      'node_modules/native/build/Release/native.node',
      'node_modules/native/deps/sources.tar.gz',
      'node_modules/native/src/obj/kept.c',
    ];
    await write([
      ...kept,
      'node_modules/native/build/Release/obj/gen/library.c',
      'node_modules/native/build/Release/obj.target/native.node',
      'node_modules/native/build/Release/obj.target/library/library.o',
      'node_modules/native/build/Release/.deps/native.node.d',
      'node_modules/native/build/Release/library.a',
    ]);
    expect(await prune(join(folder, 'node_modules'))).toMatchObject({ code: 0 });
    expect(filesIn('node_modules')).toEqual(kept.sort());
  });

  it('leaves alone what a link leads to: a workspace, and packages that checkouts share', async () => {
    await write(['workspace/index.js.map', 'shared/one/index.js.map', 'node_modules/one/index.js']);
    await symlink('../workspace', join(folder, 'node_modules/workspace'));
    await symlink('shared', join(folder, 'packages'));
    expect(await prune(join(folder, 'node_modules'))).toMatchObject({ code: 0 });
    expect(await prune(join(folder, 'packages'))).toMatchObject({ code: 0 });
    expect(existsSync(join(folder, 'workspace/index.js.map'))).toBe(true);
    expect(existsSync(join(folder, 'shared/one/index.js.map'))).toBe(true);
    expect(await readlink(join(folder, 'node_modules/workspace'))).toBe('../workspace');
  });

  it('does nothing where no packages are installed', async () => {
    expect(await prune(join(folder, 'node_modules'))).toEqual({ code: 0, output: '' });
  });
});
