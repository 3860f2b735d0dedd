import type { Command } from 'commander';
import type { KeyView, Scope } from 'express-prediction-market';
import { UsageError } from '../needs-a-person';
import { integerFrom } from '../numbers';
import { operatorCommands, type OperatorOptions } from '../operator-command';
import type { CommandContext } from '../command-context';

interface Change extends OperatorOptions {
  rateLimit?: number;
  scopes?: string;
}

/** The compiler checks that no scope is missing. */
const SCOPES = Object.keys({
  'markets:read': 0,
  'markets:create': 0,
  'trades:create': 0,
  'account:read': 0,
  'account:withdraw': 0,
} satisfies Record<Scope, 0>);

export function addKeys(program: Command, commandContext: CommandContext): void {
  const keys = program.command('keys').description('list, change and revoke the API keys of a wallet');
  const { add, addChange, answer } = operatorCommands(keys, commandContext);

  add('list', 'list the active keys of a wallet')
    .argument('<address>', 'the address of the wallet')
    .action((address: string, options: OperatorOptions) =>
      answer(
        options,
        (operators) => operators.listKeys(address),
        (view) => (view.keys.length === 0 ? ['no active keys'] : view.keys.map(describe)),
      ),
    );
  addChange('update', 'change the rate limit or the scopes of a key')
    .argument('<id>', 'the id of the key', integerFrom(1))
    .option('--rate-limit <number>', 'requests in a rolling minute', integerFrom(1))
    .option('--scopes <list>', `the scopes of the key from now on, separated by commas: ${SCOPES.join(', ')}`)
    .action((id: number, options: Change) =>
      answer(
        options,
        (operators) => operators.updateKey({ id, ...changeOf(options) }),
        (view) => [describe(view)],
      ),
    );
  addChange('revoke', 'revoke a key, without a signature of its wallet')
    .argument('<id>', 'the id of the key', integerFrom(1))
    .action((id: number, options: OperatorOptions) =>
      answer(
        options,
        (operators) => operators.revokeKey(id),
        (view) => [`revoked key ${view.id} (${view.prefix})`],
      ),
    );
}

function changeOf({ rateLimit, scopes }: Change): { rateLimit?: number; scopes?: Scope[] } {
  if (rateLimit === undefined && scopes === undefined) throw new UsageError('give --rate-limit or --scopes');
  return {
    ...(rateLimit !== undefined && { rateLimit }),
    // The service refuses a scope that it does not know.
    ...(scopes !== undefined && { scopes: scopes.split(',').map((scope) => scope.trim() as Scope) }),
  };
}

function describe({ id, prefix, label, rateLimit, scopes, createdAt, lastUsedAt }: KeyView): string {
  const used = lastUsedAt === null ? 'never used' : `last used ${lastUsedAt}`;
  return `${id}  ${prefix}  ${label ?? '-'}  ${rateLimit}/min  ${scopes.join(',')}  made ${createdAt}, ${used}`;
}
