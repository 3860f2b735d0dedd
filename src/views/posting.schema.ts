import Joi from 'joi';
import { POSTING_KINDS } from '../domain/types';
import { id, instant, marketId, nullableText, oneOf, text, usd } from './fields.schema';
import type { PostingListView, PostingView } from './posting';

export const posting = Joi.object<PostingView, true>({
  kind: oneOf(POSTING_KINDS).description(
    'trade: an order; settlement: the payout of a position; deposit and withdrawal: money from and to outside',
  ),
  reference: text().description('The reference of the posting in the ledger'),
  amount: usd('What the wallet got, or paid if it is negative'),
  marketId: marketId().allow(null).description('The number of the market; null for deposits and withdrawals'),
  createdAt: instant('When the money moved'),
});

export const postingList = Joi.object<PostingListView, true>({
  postings: Joi.array().items(posting).required(),
  limit: id('How many rows a page has at most'),
  next: nullableText().description('Where the next page begins, for `after`; null on the last page'),
});
