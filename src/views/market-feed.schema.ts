import Joi from 'joi';
import type { MarketFeedItemView, MarketFeedView } from './market-feed';
import { amount, count, instant } from './fields.schema';
import { marketFields } from './market.schema';

export const marketFeed = Joi.object<MarketFeedView, true>({
  asOf: instant('The moment of the snapshot'),
  seq: count().description('The number of the newest fact'),
  markets: Joi.array()
    .items(
      Joi.object<MarketFeedItemView, true>({
        ...marketFields,
        volume24h: amount('Trade volume of the running hour and the 23 before'),
      }),
    )
    .required(),
  totals: Joi.object<MarketFeedView['totals'], true>({
    openMarkets: count().description('All that match, listed or not'),
    volume: amount('Of the markets listed'),
    volume24h: amount('Of the markets listed'),
  }).required(),
});
