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

async function write(files: string[]): Promise<void> {
  for (const file of files) {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await writeFile(join(folder, file), 'text');
  }
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

  it('keeps its hands off what a link leads to: a workspace, and packages that checkouts share', async () => {
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
