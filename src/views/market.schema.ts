import Joi from 'joi';
import { RESOLUTION_METHODS } from '../domain/types';
import {
  address,
  amount,
  category,
  instant,
  marketId,
  marketStatus,
  nullableText,
  oneOf,
  outcome,
  page,
  probability,
  question,
  slug,
  text,
  ticker,
} from './fields.schema';
import type { MarketDetailView, MarketListView, MarketView, ResolutionView } from './market';

export const marketFields = {
  id: marketId(),
  tickerId: ticker(),
  slug: slug(),
  question: question(),
  category: category(),
  status: marketStatus(),
  yesPrice: probability('Price of YES as a probability'),
  noPrice: probability('Price of NO as a probability'),
  volume: amount('Total trade volume before fees'),
  liquidity: amount('What the pool would pay if every holder sold now'),
  resolveDate: instant('When trading ends'),
  createdAt: instant('When the market was created'),
};

export const market = Joi.object<MarketView, true>(marketFields);

export const marketList = Joi.object<MarketListView, true>({
  markets: Joi.array().items(market).required(),
  ...page,
});

export const resolution = Joi.object<ResolutionView, true>({
  outcome: outcome(),
  resolvedAt: instant('When the outcome was decided'),
  oracleConsensus: probability('Confidence of the oracle; 1 when an operator decided'),
  method: oneOf(RESOLUTION_METHODS).description('Who decided: the oracle, or an operator'),
});

export const marketDetailFields = {
  ...marketFields,
  description: nullableText().description('More about the question, in Markdown'),
  resolutionCriteria: text().description('What decides the outcome'),
  creator: Joi.object<MarketDetailView['creator'], true>({
    address: address(),
    displayName: nullableText().description('The name that the creator has chosen'),
  }).required(),
  resolution: resolution.allow(null).required().description('null until the market is resolved'),
};

export const marketDetail = Joi.object<MarketDetailView, true>(marketDetailFields);
