/** What belongs to one wallet. */
import Joi from 'joi';
import type {
  ListPositionsCommand,
  ListWalletHistoryCommand,
  PageCommand,
  WalletCommand,
} from '../usecases/commands';
import { pageFields } from './common';
import { address } from './text';

const wallet = { wallet: address().required() };

const positions = Joi.object({
  status: Joi.string().valid('open', 'closed', 'all').default('open'),
  ...pageFields,
});
const history = Joi.object(pageFields);

export const positionsQuery: Joi.ObjectSchema<Omit<ListPositionsCommand, 'wallet'>> = positions;
export const listPositionsInput: Joi.ObjectSchema<ListPositionsCommand> = positions.keys(wallet);
export const historyPageQuery: Joi.ObjectSchema<PageCommand> = history;
export const listWalletHistoryInput: Joi.ObjectSchema<ListWalletHistoryCommand> = history.keys(wallet);
export const walletInput: Joi.ObjectSchema<WalletCommand> = Joi.object(wallet);
