/** The commands by which operators do their work, in the order of the help. */
import { ACCOUNTS } from './commands/accounts';
import { ALARMS } from './commands/alarms';
import { CONSUMERS } from './commands/consumers';
import { CREATORS } from './commands/creators';
import { KEYS } from './commands/keys';
import { LOG } from './commands/log';
import { MARKETS, RESOLUTIONS } from './commands/markets';
import { DEPOSITS, TREASURY } from './commands/money';
import { PAYMENTS, WITHDRAWALS } from './commands/payments';
import { WEBHOOKS } from './commands/webhooks';
import type { OperatorCommand, OperatorGroup } from './operator-command';

export const OPERATOR_GROUPS: readonly OperatorGroup[] = [
  KEYS,
  CREATORS,
  DEPOSITS,
  TREASURY,
  ACCOUNTS,
  MARKETS,
  RESOLUTIONS,
  WITHDRAWALS,
  PAYMENTS,
  WEBHOOKS,
  CONSUMERS,
];

/**
 * The commands of operators that have no subcommands. `audit` is described elsewhere, because its exit code says what
 * it found.
 */
export const OPERATOR_SINGLES: readonly OperatorCommand[] = [LOG, ALARMS];
