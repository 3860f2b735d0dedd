/** The schemas of the lists by which operators look at one wallet. */
import Joi from 'joi';
import type { PostingsPosition } from '../domain/wallet-postings';
import type { PageInput } from '../inputs';
import type {
  ListDepositsAsOperatorInput,
  ListPostingsInput,
  ListWithdrawalsAsOperatorInput,
} from '../operator-inputs';
import type {
  ListDepositsAsOperatorCommand,
  ListPostingsCommand,
  ListWithdrawalsAsOperatorCommand,
  PageCommand,
} from '../usecases/commands';
import { pageFields } from './common';
import { inputSchema } from './input';
import type { Rules } from './rules';
import { address } from './text';

const ofWallet = { address: address().required() };

export const walletPageQuery = inputSchema<PageInput, PageCommand>(pageFields, {});
export const listDepositsAsOperatorInput = inputSchema<
  ListDepositsAsOperatorInput,
  ListDepositsAsOperatorCommand
>({ ...pageFields, ...ofWallet }, {});
export const listWithdrawalsAsOperatorInput = inputSchema<
  ListWithdrawalsAsOperatorInput,
  ListWithdrawalsAsOperatorCommand
>({ ...pageFields, ...ofWallet }, {});

const NOT_A_POSITION = { 'string.pattern.base': '{{#label}} must be the `next` of an earlier page' };

function positionOf(text: string): PostingsPosition {
  const [trades = 0, deposits = 0, withdrawals = 0] = text.split('-').map(Number);
  return { trades, deposits, withdrawals };
}

const postings: Rules<Omit<ListPostingsInput, 'address'>> = {
  limit: pageFields.limit,
  after: Joi.string()
    .pattern(/^\d{1,9}-\d{1,9}-\d{1,9}$/)
    .messages(NOT_A_POSITION)
    .custom(positionOf)
    .description('The `next` of the page before'),
};

export const postingsQuery = inputSchema<
  Omit<ListPostingsInput, 'address'>,
  Omit<ListPostingsCommand, 'address'>
>(postings, { after: null });
export const listPostingsInput = inputSchema<ListPostingsInput, ListPostingsCommand>(
  { ...postings, ...ofWallet },
  { after: null },
);
