import { execFile } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

export const root = process.cwd();
export const packageName = 'express-prediction-market';

export interface CommandResult {
  code: number;
  output: string;
}

/** Resolves for a failed command too, so that a test can show the output. */
export async function command(file: string, args: string[], folder: string): Promise<CommandResult> {
  // Jest sets variables that a user's process does not have.
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, NODE_NO_WARNINGS: '1' };
  const options = { cwd: folder, env, maxBuffer: 64 * 1024 * 1024 };
  return promisify(execFile)(file, args, options).then(
    ({ stdout, stderr }) => ({ code: 0, output: stdout + stderr }),
    (error: { code?: number; stdout?: string; stderr?: string }) => ({
      code: error.code ?? 1,
      output: `${error.stdout ?? ''}${error.stderr ?? ''}`,
    }),
  );
}

export function tool(name: string): string {
  return join(root, 'node_modules/.bin', name);
}

function newestChange(path: string): number {
  const stats = statSync(path);
  if (!stats.isDirectory()) return stats.mtimeMs;
  return Math.max(0, ...readdirSync(path).map((name) => newestChange(join(path, name))));
}

async function buildIfStale(): Promise<void> {
  const built = join(root, 'dist/testing.d.cts');
  const sources = [
    'src',
    'adapters',
    'testing',
    'site',
    'cli',
    'examples/standalone',
    'package.json',
    'tsup.config.ts',
    'tsconfig.json',
  ];
  const changed = Math.max(...sources.map((path) => newestChange(join(root, path))));
  if (existsSync(built) && statSync(built).mtimeMs > changed) return;
  const { code, output } = await command(tool('tsup'), [], root);
  if (code !== 0) throw new Error(`the build failed:\n${output}`);
}

export interface PackedPackage {
  folder: string;
  tarball: string;
  unpacked: string;
}

export async function packPackage(): Promise<PackedPackage> {
  await buildIfStale();
  if (!existsSync(join(root, 'built-docs/index.html'))) {
    await command(process.execPath, ['scripts/build-docs.mjs'], root);
  }
  const folder = await mkdtemp(join(tmpdir(), 'packed-'));
  const pack = await command(
    'npm',
    ['pack', '--ignore-scripts', '--json', '--pack-destination', folder],
    root,
  );
  const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz'));
  if (tarball === undefined) throw new Error(`npm pack made no tarball:\n${pack.output}`);
  await command('tar', ['-xzf', tarball], folder);
  return { folder, tarball: join(folder, tarball), unpacked: join(folder, 'package') };
}

async function link(project: string, name: string, target = name): Promise<void> {
  const path = join(project, 'node_modules', name);
  await mkdir(dirname(path), { recursive: true });
  await symlink(join(root, 'node_modules', target), path);
}

export interface ProjectOptions {
  type: 'module' | 'commonjs';
  /** Each entry is `name`, or `[name, name in our node_modules]`. */
  packages: (string | [name: string, target: string])[];
}

export async function makeProject(packed: PackedPackage, options: ProjectOptions): Promise<string> {
  const project = await mkdtemp(join(packed.folder, 'project-'));
  await writeFile(join(project, 'package.json'), JSON.stringify({ private: true, type: options.type }));
  await cp(packed.unpacked, join(project, 'node_modules', packageName), { recursive: true });
  const manifest = JSON.parse(await readFile(join(packed.unpacked, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>;
  };
  for (const name of Object.keys(manifest.dependencies)) await link(project, name);
  for (const entry of options.packages) {
    await (typeof entry === 'string' ? link(project, entry) : link(project, entry[0], entry[1]));
  }
  return project;
}
