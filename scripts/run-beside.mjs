/**
 * Runs npm scripts at the same time, at most one for each core: `node scripts/run-beside.mjs lint types`. The output of
 * a script is printed when the script has ended. If a script fails, the other scripts still run, and the exit code is
 * 1.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';

const waiting = process.argv.slice(2);

async function run(name) {
  const child = spawn('npm', ['run', '--silent', name], { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => (output += String(part)));
  const [code] = await once(child, 'close');
  if (code !== 0) process.exitCode = 1;
  if (code !== 0 || output !== '')
    process.stdout.write(`${name}${code === 0 ? '' : ' failed'}:\n${output}\n`);
}

async function work() {
  for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) await run(name);
}

await Promise.all(Array.from({ length: availableParallelism() }, work));
