import type { Command } from 'commander';
import type { PredictionMarket } from 'express-prediction-market';
import type { Filled } from '../../examples/standalone/sample/fill';
import { describeStorage } from '../../examples/standalone/banner';
import { DEFAULT_SEED } from '../../examples/standalone/sample/markets';
import type { Settings } from '../../examples/standalone/settings';
import { FailedCheck } from '../failures';
import { UsageError } from '../needs-a-person';
import { integerFrom } from '../numbers';
import { settingsFor, withMarket } from '../storage';
import type { CommandContext } from '../command-context';

interface Options {
  seed: number;
  json?: true;
}

export function addSample(program: Command, commandContext: CommandContext): void {
  program
    .command('sample')
    .description('fill an empty database with a dozen markets and weeks of trades; play money only')
    .option('--seed <number>', 'another number gives other trades', integerFrom(0), DEFAULT_SEED)
    .option('--json', 'print what was made as JSON')
    .action(async (options: Options) => {
      const settings = settingsFor('sample', commandContext);
      const filled = await sample(commandContext, settings, options);
      if (options.json) commandContext.print(JSON.stringify(filled));
      else
        commandContext.print(
          `${filled.markets} markets (${filled.resolved} resolved), ${filled.trades} trades by ${filled.wallets} wallets in ${describeStorage(settings.storage)}`,
        );
    });
}

async function sample(
  commandContext: CommandContext,
  settings: Settings,
  { seed }: Options,
): Promise<Filled> {
  requirePlayMoney(settings);
  const { testClock } = await import('express-prediction-market/testing');
  const { fillEmptyBooks, foundInBooks, ONLY_EMPTY } =
    await import('../../examples/standalone/sample/empty-books');
  const clock = testClock(commandContext.clock?.now() ?? Date.now());
  const progress = await commandContext.progress('trading');
  const work = async (market: PredictionMarket): Promise<Filled> => {
    const found = await foundInBooks(market);
    if (found !== null) throw new UsageError(`${ONLY_EMPTY}, and this one has ${found}`);
    const onHour = (finished: number, total: number): void =>
      progress.show(finished, total, 'weeks of trades');
    const { booksAgree, ...filled } = await fillEmptyBooks({ market, clock, seed, onHour });
    if (!booksAgree) {
      commandContext.tell('error: the books do not add up: call express-prediction-market audit');
      throw new FailedCheck();
    }
    return filled;
  };
  try {
    return await withMarket({ ...commandContext, clock }, settings, work, { migrate: 'if new' });
  } finally {
    progress.end();
  }
}

function requirePlayMoney({ facilitator }: Settings): void {
  if (facilitator.kind === 'development') return;
  const name = facilitator.kind === 'http' ? 'FACILITATOR_URL' : 'RPC_URL';
  throw new UsageError(`sample is for play money only, and ${name} makes payments real`);
}
