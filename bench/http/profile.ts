/**
 * `npm run profile -- <what>`: writes a flame graph of a server under load. What: `library` or `standalone`,
 * then `GET` (default), `LIST` or `POST`, then `memory` or `sqlite` (default).
 */
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { PATHS, type Call } from './calls';
import { load, requireWrk } from './load';
import { PROFILES, startBenchServer, startStandalone } from './servers';

const SECONDS = Number(process.env.BENCH_SECONDS ?? 5);

const CALLS: Partial<Record<string, Call>> = { GET: 'market', LIST: 'list', POST: 'trade' };

/** A page that shows the profile without a server: speedscope reads it from a script beside the page. */
function writePage(folder: string, profile: string): string {
  const viewer = join(
    dirname(createRequire(import.meta.url).resolve('speedscope/package.json')),
    'dist/release',
  );
  cpSync(viewer, folder, { recursive: true });
  const content = readFileSync(join(folder, profile)).toString('base64');
  writeFileSync(join(folder, 'profile.js'), `speedscope.loadFileFromBase64('${profile}', '${content}')`);
  const page = join(folder, 'flame-graph.html');
  // The viewer takes an absolute path only.
  const address = `index.html#localProfilePath=${resolve(folder, 'profile.js')}`;
  writeFileSync(page, `<!doctype html><meta http-equiv="refresh" content="0; url=${address}">\n`);
  return resolve(page);
}

async function main([
  what = 'standalone',
  method = 'GET',
  storage = 'sqlite',
]: readonly string[]): Promise<void> {
  const call = CALLS[method];
  const isKnown =
    ['library', 'standalone'].includes(what) && call !== undefined && ['memory', 'sqlite'].includes(storage);
  if (!isKnown)
    throw new Error('expected: library or standalone, then GET, LIST or POST, then memory or sqlite');
  requireWrk();
  rmSync(PROFILES, { recursive: true, force: true });
  mkdirSync(PROFILES, { recursive: true });
  process.env.BENCH_PROFILE = what;
  const server =
    what === 'library'
      ? await startBenchServer(storage)
      : await startStandalone(storage === 'memory' ? { DATABASE_URL: 'memory:' } : {});
  const url = `http://127.0.0.1:${server.port}${PATHS[call](server.marketId)}`;
  const { cpuMicros } = await load({ ...server, url, method: call === 'trade' ? 'POST' : 'GET' }, SECONDS);
  await server.stop();
  const profile = readdirSync(PROFILES).find((file) => file.endsWith('.cpuprofile'));
  if (profile === undefined) throw new Error('the server has left no profile');
  console.log(`${cpuMicros.toFixed(0)} µs of CPU for a request, with the profiler`);
  console.log(`flame graph: file://${writePage(PROFILES, profile)}`);
  console.log(`for Chrome DevTools: ${join(PROFILES, profile)}`);
}

main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
});
