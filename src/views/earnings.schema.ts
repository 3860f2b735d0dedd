import Joi from 'joi';
import type { EarningsView, MarketEarningsView } from './earnings';
import { amount, page } from './fields.schema';
import { marketFields } from './market.schema';

export const marketEarnings = Joi.object<MarketEarningsView, true>({
  ...marketFields,
  fees: amount('What the creator has earned on this market'),
});

export const earnings = Joi.object<EarningsView, true>({
  markets: Joi.array().items(marketEarnings).required(),
  fees: amount('What the creator has earned on all markets, also on those of other pages'),
  ...page,
});
