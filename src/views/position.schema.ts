import Joi from 'joi';
import { amount, id, page, probability, side, text, usd } from './fields.schema';
import type { PositionListView, PositionView } from './position';

export const position = Joi.object<PositionView, true>({
  marketId: id(),
  tickerId: text(),
  slug: text(),
  question: text(),
  status: Joi.string().valid('open', 'closed').required(),
  side: side(),
  shares: Joi.number().min(0).required(),
  avgPrice: Joi.number().min(0).required().description('costBasis / shares, USD'),
  costBasis: amount('Paid for the shares still held, fees included'),
  currentPrice: probability('Price of the side'),
  currentValue: amount('Net proceeds of selling all of it now'),
  unrealizedPnl: usd('currentValue - costBasis'),
  realizedPnl: usd('Net proceeds and payouts, less the cost of what went'),
  feesPaid: amount('Fees so far'),
  maxPayout: amount('Payout if the side wins'),
});

export const positionList = Joi.object<PositionListView, true>({
  positions: Joi.array().items(position).required(),
  ...page,
});
