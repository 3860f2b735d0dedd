import Joi from 'joi';
import {
  amount,
  marketId,
  oneOf,
  page,
  probability,
  question,
  shares,
  side,
  slug,
  ticker,
  usd,
} from './fields.schema';
import type { PositionListView, PositionView } from './position';

export const position = Joi.object<PositionView, true>({
  marketId: marketId(),
  tickerId: ticker(),
  slug: slug(),
  question: question(),
  status: oneOf(['open', 'closed']).description('open while the wallet holds shares'),
  side: side(),
  shares: shares('How many shares the wallet holds'),
  avgPrice: Joi.number().min(0).required().description('costBasis / shares, USD'),
  costBasis: amount('Paid for the shares still held, fees included'),
  currentPrice: probability('Price of the side'),
  currentValue: amount(
    'What selling the whole position now would bring after the fee, or its payout once the market is resolved',
  ),
  unrealizedPnl: usd('currentValue - costBasis'),
  realizedPnl: usd('Net proceeds and payouts, less the cost of the shares that were sold or paid out'),
  feesPaid: amount('Fees so far'),
  maxPayout: amount('Payout if the side wins'),
});

export const positionList = Joi.object<PositionListView, true>({
  positions: Joi.array().items(position).required(),
  ...page,
});
