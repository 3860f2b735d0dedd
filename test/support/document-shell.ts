/** Runs commands as the documents print them, in a folder where the package seems to be installed. */
import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { program } from './program';

export interface ShellRun {
  code: number;
  output: string;
}

export interface DocumentShell {
  run(commands: string, variables?: Readonly<Record<string, string>>): Promise<ShellRun>;
}

export function documentShell(folder: string, firstOnPath = ''): DocumentShell {
  const bin = join(folder, 'bin');
  const installed = join(folder, 'node_modules/express-prediction-market/dist');
  for (const each of [bin, installed]) mkdirSync(each, { recursive: true });
  const [first = '', ...others] = program('cli/main.ts').map((word) => JSON.stringify(word));
  writeFileSync(
    join(installed, 'cli.js'),
    `const { status } = require('node:child_process').spawnSync(process.execPath,
       [${[first, ...others].join(', ')}, ...process.argv.slice(2)], { stdio: 'inherit' });
     process.exit(status);`,
  );
  const npx = join(bin, 'npx');
  writeFileSync(
    npx,
    `#!/bin/sh
[ "$1" = express-prediction-market ] || exit 127
shift
exec "${process.execPath}" "${join(installed, 'cli.js')}" "$@"
`,
  );
  chmodSync(npx, 0o755);
  const path = [bin, firstOnPath, process.env.PATH].filter((part) => part !== '').join(':');
  return {
    run: (commands, variables = {}) =>
      new Promise((resolve) => {
        const env = { PATH: path, HOME: folder, ...variables };
        execFile('sh', ['-e', '-c', commands], { cwd: folder, env }, (error, stdout, stderr) =>
          resolve({ code: error === null ? 0 : Number(error.code ?? 1), output: stdout + stderr }),
        );
      }),
  };
}

export function sectionOf(page: string, heading: string): string {
  const [, section] = readFileSync(page, 'utf8').split(new RegExp(`^#+ ${heading}\\n`, 'm'));
  if (section === undefined) throw new Error(`${page} has no section "${heading}"`);
  return section.replace(/^#+ [^]*/m, '');
}

export function commandsIn(text: string): string {
  const [, commands] = /^```sh\n([^]*?)^```$/m.exec(text) ?? [];
  if (commands === undefined) throw new Error('the text has no block of commands');
  return commands;
}
