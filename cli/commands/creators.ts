import { Option, type Command } from 'commander';
import type { CreatorStatus, CreatorView } from 'express-prediction-market';
import { integerFrom } from '../numbers';
import { operatorCommands, type OperatorOptions } from '../operator-command';
import type { Verdict } from '../operators';
import type { CommandContext } from '../command-context';

interface ListOptions extends OperatorOptions {
  status?: CreatorStatus;
  limit: number;
  offset: number;
}

interface JudgeOptions extends OperatorOptions {
  reason?: string;
}

const STATUSES: readonly CreatorStatus[] = ['pending', 'approved', 'rejected', 'suspended'];

export function addCreators(program: Command, commandContext: CommandContext): void {
  const creators = program
    .command('creators')
    .description('list the wallets that may create markets, or want to, and decide on them');
  const { add, addChange, answer } = operatorCommands(creators, commandContext);

  add('list', 'list creators and applications, the newest change first')
    .addOption(new Option('--status <status>', 'only those in this state').choices(STATUSES))
    .option('--limit <number>', 'how many; more than 100 are served as 100', integerFrom(1), 50)
    .option('--offset <number>', 'how many to leave out first', integerFrom(0), 0)
    .action(({ status, limit, offset, ...options }: ListOptions) =>
      answer(
        options,
        (operators) => operators.listCreators({ limit, offset, ...(status !== undefined && { status }) }),
        (view) => [...view.creators.map(describe), `${view.creators.length} of ${view.total}`],
      ),
    );

  const judging = (verdict: Verdict, description: string): Command =>
    addChange(verdict, description)
      .argument('<address>', 'the address of the wallet')
      .action((address: string, options: JudgeOptions) =>
        answer(
          options,
          (operators) => operators.decideCreator(verdict, address, options.reason),
          (view) => [describe(view)],
        ),
      );
  judging('approve', 'let a wallet create markets; it need not have applied');
  judging('reject', 'reject an application, or let another wallet create no markets').requiredOption(
    '--reason <text>',
    'required: the reason, which the wallet can read',
  );
  judging('suspend', 'let a wallet create no further markets').requiredOption(
    '--reason <text>',
    'required: the reason, which only operators can read',
  );
}

function describe({ address, status, displayName, appliedAt, rejectedReason }: CreatorView): string {
  const applied = appliedAt === null ? 'has not applied' : `applied ${appliedAt}`;
  const reason = rejectedReason === null ? '' : `: ${rejectedReason}`;
  return `${address}  ${status}${reason}  ${displayName ?? '-'}  ${applied}`;
}
