import type { Command } from 'commander';
import type { AuditView } from 'express-prediction-market';
import { describeAudit } from '../audit-text';
import { FailedCheck, NoResult } from '../failures';
import { URL_OPTION } from '../operator-command';
import { AUDIT_LIMIT_MS, operatorServer } from '../server-client';
import { settingsFor, withMarket } from '../storage';
import type { CommandContext } from '../command-context';

interface Options {
  url?: string;
  json?: true;
}

export function addAudit(program: Command, commandContext: CommandContext): void {
  program
    .command('audit')
    .description(
      'recompute the books from entries and trades; exits with 1 if they do not add up, with 3 if it could not read them',
    )
    .option(...URL_OPTION)
    .option('--json', 'print the findings as JSON')
    .action(async (options: Options) => {
      const found = await audit(commandContext, options).catch((cause: unknown) => {
        throw new NoResult('the books were not read', { cause });
      });
      for (const line of options.json ? [JSON.stringify(found)] : describeAudit(found))
        commandContext.print(line);
      if (!found.ok) throw new FailedCheck();
    });
}

async function audit(commandContext: CommandContext, { url }: Options): Promise<AuditView> {
  if (url !== undefined)
    return operatorServer(url, commandContext, AUDIT_LIMIT_MS).call<AuditView>({
      ...{ method: 'GET', path: '/audit', field: 'checked' },
    });
  const settings = settingsFor('audit', commandContext);
  const progress = await commandContext.progress('auditing');
  try {
    return await withMarket(commandContext, settings, (market) =>
      market.audit({
        onStep: ({ finished, total }) => progress.show(finished, total, 'recomputing the books'),
      }),
    );
  } finally {
    progress.end();
  }
}
