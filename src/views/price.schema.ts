import Joi from 'joi';
import { CANDLE_INTERVALS } from '../domain/candles';
import { action, amount, count, instant, marketId, oneOf, probability, shares, side } from './fields.schema';
import type { CandleView, PriceHistoryView, PriceView, QuoteView } from './price';

export const quote = Joi.object<QuoteView, true>({
  side: side(),
  action: action(),
  shares: shares('How many shares would be traded'),
  pricePerShare: probability('Effective price per share, before the fee'),
  totalCost: amount('What a buyer would pay, with the fee, or what a seller would receive, after the fee'),
  fee: amount("The creator's fee"),
  yesPriceAfter: probability('Price of YES after such a trade'),
  noPriceAfter: probability('Price of NO after such a trade'),
  priceImpact: Joi.number()
    .min(-1)
    .max(1)
    .required()
    .description('Price of the side after such a trade, less its price now'),
});

export const price = Joi.object<PriceView, true>({
  marketId: marketId(),
  yesPrice: probability('Price of YES'),
  noPrice: probability('Price of NO'),
  liquidity: amount('What the pool would pay if every holder sold now'),
  asOf: instant('The moment of these prices'),
  quote: quote.allow(null).required().description('null if the request names no amount and no shares'),
});

export const candle = Joi.object<CandleView, true>({
  time: instant('Start of the interval'),
  open: probability('The price of YES at the beginning of the interval'),
  high: probability('The highest price of YES in the interval'),
  low: probability('The lowest price of YES in the interval'),
  close: probability('The price of YES at the end of the interval, or now'),
  volume: amount('Trade volume before fees'),
  trades: count('How many trades there were in the interval'),
});

export const priceHistory = Joi.object<PriceHistoryView, true>({
  marketId: marketId(),
  interval: oneOf(CANDLE_INTERVALS).description('How long each candle is'),
  candles: Joi.array().items(candle).required(),
});
