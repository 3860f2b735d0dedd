/**
 * `npm run bench` runs all benches, and `npm run bench -- http` runs the bench `http`. `npm run bench -- compare A.json
 * B.json` compares two results of the HTTP bench. With `--check` the exit code is 1 when `fanout` or `memory` has
 * missed a goal.
 */
import { benchFanout } from './fanout';
import { benchFootprint } from './footprint';
import { benchHttp } from './http';
import { compareResults } from './http/result';
import { benchWorkers } from './http/workers';
import { benchLiveAbuse } from './live-abuse';
import { benchMemory } from './memory';
import { benchOracle } from './oracle';
import { benchScale } from './scale';
import { benchTrades } from './trades';
import { benchX402 } from './x402';

const BENCHES: Record<string, () => Promise<boolean | void>> = {
  http: benchHttp,
  workers: benchWorkers,
  trades: benchTrades,
  scale: benchScale,
  oracle: benchOracle,
  fanout: benchFanout,
  'live-abuse': benchLiveAbuse,
  memory: benchMemory,
  footprint: benchFootprint,
  x402: benchX402,
};

async function main(): Promise<void> {
  const words = process.argv.slice(2);
  if (words[0] === 'compare') {
    compareResults(words.slice(1));
    return;
  }
  const wanted = words.filter((word) => word !== '--check');
  const isChecked = words.length > wanted.length;
  for (const name of wanted.length > 0 ? wanted : Object.keys(BENCHES)) {
    const bench = BENCHES[name];
    if (bench === undefined) {
      console.error(`There is no bench named ${name}; there are: ${Object.keys(BENCHES).join(', ')}`);
      process.exitCode = 1;
      return;
    }
    console.log(`\n## ${name}\n`);
    const isMet = await bench();
    if (isChecked && isMet === false) process.exitCode = 1;
  }
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
