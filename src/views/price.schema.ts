import Joi from 'joi';
import { CANDLE_INTERVALS } from '../domain/candles';
import { action, amount, count, id, instant, oneOf, probability, side } from './fields.schema';
import type { CandleView, PriceHistoryView, PriceView, QuoteView } from './price';

export const quote = Joi.object<QuoteView, true>({
  side: side(),
  action: action(),
  shares: Joi.number().min(0).required(),
  pricePerShare: probability('Effective price per share, before the fee'),
  totalCost: amount('What a buyer would pay, or a seller receive, fee included'),
  fee: amount("The creator's fee"),
  yesPriceAfter: probability('Price of YES after such a trade'),
  noPriceAfter: probability('Price of NO after such a trade'),
  priceImpact: Joi.number().min(-1).max(1).required().description('Price of the side, after less before'),
});

export const price = Joi.object<PriceView, true>({
  marketId: id(),
  yesPrice: probability('Price of YES'),
  noPrice: probability('Price of NO'),
  liquidity: amount('What the pool would pay if every holder sold now'),
  asOf: instant('The moment of these prices'),
  quote: quote.allow(null).required(),
});

export const candle = Joi.object<CandleView, true>({
  time: instant('Start of the bucket'),
  open: probability('Price of YES'),
  high: probability('Price of YES'),
  low: probability('Price of YES'),
  close: probability('Price of YES'),
  volume: amount('Trade volume before fees'),
  trades: count(),
});

export const priceHistory = Joi.object<PriceHistoryView, true>({
  marketId: id(),
  interval: oneOf(CANDLE_INTERVALS),
  candles: Joi.array().items(candle).required(),
});
