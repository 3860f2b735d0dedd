import type { Command } from 'commander';
import type { AuditView } from 'express-prediction-market';
import { FailedCheck } from '../failures';
import { URL_OPTION } from '../operator-command';
import { operatorServer } from '../server';
import { settingsFor, withMarket } from '../storage';
import type { Surroundings } from '../surroundings';

interface Options {
  url?: string;
  json?: true;
}

export function addAudit(program: Command, surroundings: Surroundings): void {
  program
    .command('audit')
    .description('recompute the books from entries and trades; exits with 1 if they do not add up')
    .option(...URL_OPTION)
    .option('--json', 'print the findings as JSON')
    .action(async (options: Options) => {
      const found = await audit(surroundings, options);
      for (const line of options.json ? [JSON.stringify(found)] : describe(found)) surroundings.print(line);
      if (!found.ok) throw new FailedCheck();
    });
}

async function audit(surroundings: Surroundings, { url }: Options): Promise<AuditView> {
  if (url !== undefined) return operatorServer(url, surroundings).get<AuditView>('/audit', 'checked');
  const settings = settingsFor('audit', surroundings);
  const progress = await surroundings.progress('auditing');
  try {
    return await withMarket(surroundings, settings, (market) =>
      market.audit({
        onStep: ({ finished, total }) => progress.show(finished, total, 'recomputing the books'),
      }),
    );
  } finally {
    progress.end();
  }
}

const UNITS =
  '  stored and computed as the database has them: 1000000 is 1 USD or 1 share; counters as they are';

function describe({ ok, checked, treasury, solvency, differences }: AuditView): string[] {
  const { entries, wallets, markets, positions } = checked;
  const counted = `${entries} entries, ${wallets} wallets, ${markets} markets, ${positions} positions`;
  const house = `treasury ${treasury} USD, ${solvency.solvent ? 'solvent' : 'NOT SOLVENT: withdrawals wait'}`;
  if (ok) return [`the books add up: ${counted}`, house];
  return [
    `the books do NOT add up: ${counted}`,
    UNITS,
    ...differences.map(
      ({ kind, subject, stored, computed }) => `  ${kind} ${subject}: stored ${stored}, computed ${computed}`,
    ),
    house,
  ];
}
