import Joi from 'joi';
import { CATEGORIES, MARKET_STATUSES, OUTCOMES, RESOLUTION_METHODS } from '../domain/types';
import { address, amount, id, instant, nullableText, oneOf, page, probability, text } from './fields.schema';
import type { MarketDetailView, MarketListView, MarketView, ResolutionView } from './market';

export const marketFields = {
  id: id(),
  tickerId: text().example('PM-0001'),
  slug: text().example('will-it-rain-tomorrow'),
  question: text(),
  category: text().description(`One of ${CATEGORIES.join(', ')}`),
  status: oneOf(MARKET_STATUSES),
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
  outcome: oneOf(OUTCOMES),
  resolvedAt: instant('When the outcome was decided'),
  oracleConsensus: probability('Confidence of the oracle; 1 when an operator decided'),
  method: oneOf(RESOLUTION_METHODS).description('Who decided'),
});

export const marketDetailFields = {
  ...marketFields,
  description: nullableText(),
  resolutionCriteria: text(),
  creator: Joi.object<MarketDetailView['creator'], true>({
    address: address(),
    displayName: nullableText(),
  }).required(),
  resolution: resolution.allow(null).required(),
};

export const marketDetail = Joi.object<MarketDetailView, true>(marketDetailFields);
