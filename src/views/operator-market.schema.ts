import Joi from 'joi';
import { count, nullableInstant, page } from './fields.schema';
import { marketDetailFields } from './market.schema';
import type { OperatorMarketListView, OperatorMarketView } from './operator-market';
import type { ResolutionProgressView } from './resolution-progress';
import { lastOutcome, proposal, resolutionStatus } from './resolution.schema';

export const resolutionProgress = Joi.object<ResolutionProgressView, true>({
  status: resolutionStatus(),
  round: count('The newest round that has ended; 0 before the first'),
  lastOutcome: lastOutcome(),
  nextAttemptAt: nullableInstant(
    'When the next round begins, or the proposal is carried out; null: an operator has to decide',
  ),
  proposal: proposal.allow(null).required().description('null while nothing is proposed'),
});

export const operatorMarket = Joi.object<OperatorMarketView, true>({
  ...marketDetailFields,
  progress: resolutionProgress
    .allow(null)
    .required()
    .description('null until the market is closed, and once it is resolved'),
});

export const operatorMarketList = Joi.object<OperatorMarketListView, true>({
  markets: Joi.array().items(operatorMarket).required(),
  ...page,
});
