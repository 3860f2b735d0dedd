/**
 * Our programs as processes. Each is bundled into one file, because a start through a compiler takes four
 * times as long.
 */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { madeOnce } from './run-folder';

/** Packages that have native parts or look for them. */
const NOT_BUNDLED = ['pg', 'sequelize', 'sqlite3'];
/** CommonJS packages in the bundle load Node's own modules by `require`. */
const REQUIRE = "import{createRequire}from'node:module';const require=createRequire(import.meta.url);";

/** Arguments of Node that run the program; `script` is a path from the root of the project. */
export function program(script: string): string[] {
  const file = madeOnce(`${script.replaceAll(/\W/g, '-')}.mjs`, (path) => bundle(script, path));
  return file === null ? ['--import', 'tsx', script] : [file];
}

function bundle(script: string, file: string): void {
  const options = ['--bundle', '--minify', '--platform=node', '--format=esm', '--log-level=error'];
  const external = NOT_BUNDLED.map((name) => `--external:${name}`);
  const bundler = join(process.cwd(), 'node_modules', '.bin', 'esbuild');
  execFileSync(bundler, [script, ...options, ...external, `--banner:js=${REQUIRE}`, `--outfile=${file}`]);
}
