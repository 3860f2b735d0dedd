import Joi from 'joi';
import { OPEN_RESOLUTION_STATUSES } from '../domain/oracle/resolution-state';
import { count, nullableInstant, oneOf, page } from './fields.schema';
import { marketDetailFields } from './market.schema';
import type { OperatorMarketListView, OperatorMarketView } from './operator-market';
import { oracleOutcome } from './oracle.schema';
import type { ResolutionProgressView } from './resolution-progress';
import { proposal } from './resolution.schema';

export const resolutionProgress = Joi.object<ResolutionProgressView, true>({
  status: oneOf(OPEN_RESOLUTION_STATUSES),
  round: count().description('The newest round that has ended; 0 before the first'),
  lastOutcome: oracleOutcome().allow(null),
  nextAttemptAt: nullableInstant('When the next round begins, or the proposal is carried out'),
  proposal: proposal.allow(null).required(),
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
