/** Our programs as processes: bundled into one file, which starts in a quarter of the time that it takes with a compiler in front. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { madeOnce } from './run-folder';

/** Packages with native parts, or packages that look for such parts themselves. */
const NOT_BUNDLED = ['pg', 'sequelize', 'sqlite3'];
/** Packages in the old format ask for Node's own by `require`. */
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
