import Joi from 'joi';
import type { MarketFeedItemView, MarketFeedView } from './market-feed';
import { amount, count, instant } from './fields.schema';
import { marketFields } from './market.schema';

export const marketFeed = Joi.object<MarketFeedView, true>({
  asOf: instant('The moment of the snapshot'),
  seq: count('The number of the newest fact'),
  markets: Joi.array()
    .items(
      Joi.object<MarketFeedItemView, true>({
        ...marketFields,
        volume24h: amount('Trade volume of the running hour and the 23 before'),
      }),
    )
    .required(),
  totals: Joi.object<MarketFeedView['totals'], true>({
    openMarkets: count('How many markets match, listed or not'),
    volume: amount('Trade volume of the markets listed, before fees'),
    volume24h: amount('Trade volume of the markets listed, in the running hour and the 23 before'),
  }).required(),
});
