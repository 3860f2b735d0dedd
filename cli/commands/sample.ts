import type { Command } from 'commander';
import type { PredictionMarket, Storage } from 'express-prediction-market';
import { fundPlayTreasury, PLAY_TREASURY_REFERENCE } from '../../examples/standalone/play-money';
import type { Settings } from '../../examples/standalone/settings';
import { FailedCheck, UsageError } from '../failures';
import { integerFrom } from '../numbers';
import type { Filled } from '../sample/fill';
import { settingsFor, withMarket } from '../storage';
import type { Surroundings } from '../surroundings';

interface Options {
  seed: number;
  json?: true;
}

export function addSample(program: Command, surroundings: Surroundings): void {
  program
    .command('sample')
    .description('fill an empty database with a dozen markets and weeks of trades; play money only')
    .option('--seed <number>', 'another number gives other trades', integerFrom(0), 1)
    .option('--json', 'print what was made as JSON')
    .action(async (options: Options) => {
      const filled = await sample(surroundings, options);
      if (options.json) surroundings.print(JSON.stringify(filled));
      else
        surroundings.print(
          `${filled.markets} markets (${filled.resolved} resolved), ${filled.trades} trades by ${filled.wallets} wallets`,
        );
    });
}

async function sample(surroundings: Surroundings, { seed }: Options): Promise<Filled> {
  const settings = settingsFor('sample', surroundings);
  requirePlayMoney(settings);
  const { testClock } = await import('express-prediction-market/testing');
  const { fillBooks } = await import('../sample/fill');
  const clock = testClock(surroundings.clock?.now() ?? Date.now());
  const progress = await surroundings.progress('trading');
  const work = async (market: PredictionMarket, storage: Storage): Promise<Filled> => {
    await requireEmptyDatabase(market, storage);
    await fundPlayTreasury(market);
    const onHour = (finished: number, total: number): void =>
      progress.show(finished, total, 'weeks of trades');
    const filled = await fillBooks({ market, clock, seed, onHour });
    if (!(await market.audit()).ok) {
      surroundings.tell('error: the books do not add up: call express-prediction-market audit');
      throw new FailedCheck();
    }
    return filled;
  };
  try {
    return await withMarket({ ...surroundings, clock }, settings, work, { migrate: 'if new' });
  } finally {
    progress.end();
  }
}

function requirePlayMoney({ facilitator }: Settings): void {
  if (facilitator.kind === 'development') return;
  const name = facilitator.kind === 'http' ? 'FACILITATOR_URL' : 'RPC_URL';
  throw new UsageError(`sample is for play money only, and ${name} makes payments real`);
}

/** Anything in the database may belong to a real market, whose settings are missing by mistake. */
async function requireEmptyDatabase(market: PredictionMarket, storage: Storage): Promise<void> {
  const { checked } = await market.audit();
  // The first start of a server with play money has made one posting, under a reference of its own.
  const playTreasury = await storage.read(({ postings }) =>
    postings.find(`deposit:${PLAY_TREASURY_REFERENCE}`),
  );
  const ofPlayTreasury = playTreasury?.entries.length ?? 0;
  const found = Object.entries({
    markets: checked.markets,
    wallets: checked.wallets,
    'ledger entries': checked.entries - ofPlayTreasury,
    creators: (await market.listCreators({ limit: 1 })).total,
    webhooks: (await market.listWebhooks({ limit: 1 })).total,
  }).filter(([, count]) => count > 0);
  if (found.length > 0)
    throw new Error(
      `sample fills an empty database only, and this one has ${found.map(([name, count]) => `${count} ${name}`).join(', ')}`,
    );
}
