import { POSITION_STATUSES } from '../ports/storage/positions';
import type {
  ListDepositsInput,
  ListEarningsInput,
  ListPositionsInput,
  ListWalletHistoryInput,
  PageInput,
  WalletInput,
} from '../inputs';
import type {
  ListDepositsCommand,
  ListEarningsCommand,
  ListPositionsCommand,
  ListWalletHistoryCommand,
  PageCommand,
  WalletCommand,
} from '../usecases/commands';
import { oneOf, pageFields } from './common';
import { inputSchema } from './input';
import type { Rules } from './rules';
import { address } from './text';

const wallet: Rules<WalletInput> = { wallet: address().required() };

const positions: Rules<Omit<ListPositionsInput, 'wallet'>> = {
  status: oneOf(POSITION_STATUSES).default('open').description('`open` when left out'),
  ...pageFields,
};

export const positionsQuery = inputSchema<
  Omit<ListPositionsInput, 'wallet'>,
  Omit<ListPositionsCommand, 'wallet'>
>(positions, {});
export const listPositionsInput = inputSchema<ListPositionsInput, ListPositionsCommand>(
  { ...positions, ...wallet },
  {},
);
export const historyPageQuery = inputSchema<PageInput, PageCommand>(pageFields, {});
export const listWalletHistoryInput = inputSchema<ListWalletHistoryInput, ListWalletHistoryCommand>(
  { ...pageFields, ...wallet },
  {},
);
export const depositsQuery = inputSchema<PageInput, PageCommand>(pageFields, {});
export const listDepositsInput = inputSchema<ListDepositsInput, ListDepositsCommand>(
  { ...pageFields, ...wallet },
  {},
);
export const earningsQuery = inputSchema<PageInput, PageCommand>(pageFields, {});
export const listEarningsInput = inputSchema<ListEarningsInput, ListEarningsCommand>(
  { ...pageFields, ...wallet },
  {},
);
export const walletInput = inputSchema<WalletInput, WalletCommand>(wallet, {});
