import { createMarketBody, historyQuery, listMarketsQuery, priceQuery } from '../../schemas/markets';
import { createMarket } from '../../usecases/markets/create-market';
import { getMarket } from '../../usecases/markets/get-market';
import { getPrice } from '../../usecases/markets/get-price';
import { getPriceHistory } from '../../usecases/markets/get-price-history';
import { getMarketResolution } from '../../usecases/resolution/get-resolution';
import { listMarketsText } from '../../usecases/markets/list-markets';
import type { Context } from '../../usecases/context';
import { marketTexts, type MarketTexts } from '../../views/market-texts';
import { defineRoute, type Route } from '../route';
import { JSON_TYPE, RawAnswer } from '../send';
import { sharedAnswers } from '../shared-answers';
import { marketParameter } from './parameters';

export function marketRoutes(): Route[] {
  return [...lookUpAndCreation(), ...detailsOfOneMarket()];
}

function lookUpAndCreation(): Route[] {
  const shared = sharedAnswers();
  let texts: MarketTexts | null = null;
  /** Writes markets as JSON. All requests of a router have the same pricing rule, so they share the texts. */
  const textOf = ({ pricing }: Context): MarketTexts => (texts ??= marketTexts(pricing));
  return [
    defineRoute({
      method: 'get',
      path: '/public/markets/:id',
      summary: 'One market',
      group: 'public',
      scope: 'markets:read',
      param: marketParameter,
      success: { status: 200, view: 'MarketDetail' },
      errors: ['MARKET_NOT_FOUND'],
      handler: ({ context, param }) => getMarket(context, { market: param }),
    }),
    defineRoute({
      method: 'get',
      path: '/public/markets',
      summary: 'Markets, by volume, age or resolve date',
      group: 'public',
      scope: 'markets:read',
      query: listMarketsQuery,
      success: { status: 200, view: 'MarketList' },
      errors: [],
      // Equal requests share an answer, because a page of a hundred markets is slow to make.
      handler: async ({ context, query }) => {
        const list = async () => Buffer.from(await listMarketsText(context, query, textOf(context)));
        return new RawAnswer(200, JSON_TYPE, await shared(JSON.stringify(query), list));
      },
    }),
    defineRoute({
      method: 'post',
      path: '/public/markets',
      summary: 'Create a market',
      description: 'The wallet behind the key must be an approved creator.',
      group: 'public',
      scope: 'markets:create',
      body: createMarketBody,
      success: { status: 201, view: 'MarketDetail' },
      errors: ['INSUFFICIENT_PERMISSIONS', 'EXPOSURE_LIMIT'],
      handler: ({ context, key, body }) => createMarket(context, { ...body, creator: key.wallet }),
    }),
  ];
}

function detailsOfOneMarket(): Route[] {
  return [
    defineRoute({
      method: 'get',
      path: '/public/markets/:id/price',
      summary: 'Current prices, and a quote if one is asked for',
      group: 'public',
      scope: 'markets:read',
      param: marketParameter,
      query: priceQuery,
      success: { status: 200, view: 'Price' },
      errors: ['MARKET_NOT_FOUND', 'MARKET_CLOSED', 'PRICE_LIMIT'],
      handler: ({ context, param, query }) => getPrice(context, { ...query, market: param }),
    }),
    defineRoute({
      method: 'get',
      path: '/public/markets/:id/resolution',
      summary: 'How a market was resolved: the outcome, who decided, and the votes',
      group: 'public',
      scope: 'markets:read',
      param: marketParameter,
      success: { status: 200, view: 'MarketResolution' },
      errors: ['MARKET_NOT_FOUND'],
      handler: ({ context, param }) => getMarketResolution(context, { market: param }),
    }),
    defineRoute({
      method: 'get',
      path: '/public/markets/:id/history',
      summary: 'Candles of the YES price',
      group: 'public',
      scope: 'markets:read',
      param: marketParameter,
      query: historyQuery,
      success: { status: 200, view: 'PriceHistory' },
      errors: ['MARKET_NOT_FOUND'],
      handler: ({ context, param, query }) => getPriceHistory(context, { ...query, market: param }),
    }),
  ];
}
