import type {
  Candle,
  ExecutedTrade,
  Market,
  MarketDetail,
  MarketList,
  MarketResolution,
  Price,
  PriceHistory,
  Trade,
  TradeList,
} from './api.generated';
import type { Call } from './call';
import { asking, listing, naming } from './calls-of-paths';
import { candlesOf, type CandleQuery } from './candles';
import { newIdempotencyKey } from './idempotency';
import type { Body, Query } from './operations';
import type { CallOptions, UsualLimits } from './options';
import { byId, newestFirst, rowsOf, type AllQuery } from './pages';

/** A market's numeric id, ticker (`PM-0001`) or slug. */
export type MarketReference = number | string;
export type MarketQuery = Omit<Query<'/public/markets'>, 'category'> & {
  /** A category, in upper or lower case. An unknown category matches no market. */
  category?: NewMarket['category'] | (string & {}) | undefined;
};
export type NewMarket = Body<'/public/markets'>;
export type PriceQuery = Query<'/public/markets/{id}/price'>;
export type TradeQuery = Query<'/public/markets/{id}/trades'>;
/** The fields of an order, as the OpenAPI document has them. */
export type OrderBody = Body<'/public/markets/{id}/trade'>;
/** What both kinds of buys share. */
export interface CommonBuyFields extends Pick<OrderBody, 'side' | 'maxPrice' | 'minShares' | 'maxCost'> {
  /** Default `buy`. */
  action?: 'buy' | undefined;
  /** For sales only. */
  minPrice?: undefined;
  /** For sales only. */
  minPayout?: undefined;
}
/** A sale, with the bounds of sales. Its size is in shares. */
export interface SellOrder extends Pick<OrderBody, 'side' | 'minPrice' | 'minPayout'> {
  /** Required in a sale. Without `action` an order is a buy. */
  action: 'sell';
  /** For buys only. */
  amount?: undefined;
  /** How many shares to sell, with at most 6 decimals. `all` sells the whole position. */
  shares: number | 'all';
  /** For buys only. */
  maxPrice?: undefined;
  /** For buys only. */
  minShares?: undefined;
  /** For buys only. */
  maxCost?: undefined;
}
/** A buy of a number of shares, with the bounds of buys. */
export interface BuyOfShares extends CommonBuyFields {
  /** Absent in an order with `shares`. */
  amount?: undefined;
  /** How many shares to buy, with at most 6 decimals. A buy cannot buy `'all'`. */
  shares: number;
}
/** A buy for a sum of money, with the bounds of buys. */
export interface BuyForAmount extends CommonBuyFields {
  /** The USD to spend, fee included, with at most 6 decimals. */
  amount: number;
  /** Absent in an order with `amount`. */
  shares?: undefined;
}
/** A buy, with the bounds of buys. Its size is in USD or in shares. */
export type BuyOrder = BuyOfShares | BuyForAmount;
/** The size of an order: either the USD to spend, or the shares to buy or sell. */
export type OrderSize = Pick<SellOrder, 'amount' | 'shares'> | Pick<BuyForAmount, 'amount' | 'shares'>;
/** An order. The type excludes an order that mixes the fields of buys and sales, which the service refuses. */
export type Order = SellOrder | BuyOrder;

/** The limits are short, because an order that arrives late would trade at another price. */
const ORDER_LIMITS: UsualLimits = { timeoutMs: 10_000, totalMs: 30_000 };

export interface KeyedOptions extends CallOptions {
  /**
   * 1 to 128 printable ASCII characters. The service remembers the key for at least 24 hours. In that time it carries
   * out the same call with this key at most once. Default: a new random key. The error of a failed call carries it.
   */
  idempotencyKey?: string | null | undefined;
}

export interface Markets {
  /** One page of markets, with the number of all markets that the query matches. */
  list(query?: MarketQuery, options?: CallOptions): Promise<MarketList>;
  /**
   * All markets that the query matches, page by page.
   * @example
   * for await (const market of client.markets.all({ status: 'open', sort: 'volume_desc' })) {
   *   console.log(market.question, market.volume);
   * }
   */
  all(query?: AllQuery<MarketQuery>, options?: CallOptions): AsyncGenerator<Market, void, undefined>;
  /** A market by its id, ticker or slug. */
  get(market: MarketReference, options?: CallOptions): Promise<MarketDetail>;
  /**
   * Opens a market. The wallet of the key must be an approved creator. The client sends the request once. If the
   * answer is lost, look for the market before you create it again.
   */
  create(market: NewMarket, options?: CallOptions): Promise<MarketDetail>;
  /** The prices, and a quote if the query contains a side and an amount or shares. */
  price(market: MarketReference, query?: PriceQuery, options?: CallOptions): Promise<Price>;
  /** At most 500 candles, the newest of the range. */
  candles(market: MarketReference, query?: CandleQuery, options?: CallOptions): Promise<PriceHistory>;
  /** All candles of the range, oldest first. The last candle may still change. */
  allCandles(
    market: MarketReference,
    query?: Omit<CandleQuery, 'limit'>,
    options?: CallOptions,
  ): AsyncGenerator<Candle, void, undefined>;
  /** The resolution of the market, with the votes. */
  resolution(market: MarketReference, options?: CallOptions): Promise<MarketResolution>;
}

export interface Trades {
  /**
   * Buys or sells shares. If no answer comes, the client repeats the request. The order is executed at most
   * once.
   * @example
   * const { shares, totalCost } = await client.trades.place(1, { side: 'YES', amount: 10, maxPrice: 0.6 });
   */
  place(market: MarketReference, order: Order, options?: KeyedOptions): Promise<ExecutedTrade>;
  /** The trades of a market, newest first. */
  list(market: MarketReference, query?: TradeQuery, options?: CallOptions): Promise<TradeList>;
  /** All trades of a market, newest first, page by page. */
  all(
    market: MarketReference,
    query?: AllQuery<TradeQuery>,
    options?: CallOptions,
  ): AsyncGenerator<Trade, void, undefined>;
}

export function marketsOf(call: Call): Markets {
  const list: Markets['list'] = listing(call, '/public/markets');
  const get: Markets['get'] = naming(call, 'get', '/public/markets/{id}');
  const candles: Markets['candles'] = asking(call, 'get', '/public/markets/{id}/history');
  return {
    list,
    get,
    candles,
    all: rowsOf(list, 'markets', byId),
    create: (body, options) => call('post', '/public/markets', { body }, options),
    price: asking(call, 'get', '/public/markets/{id}/price'),
    allCandles: (market, query, options) =>
      candlesOf(
        async () => Date.parse((await get(market, options)).createdAt),
        async (window) => (await candles(market, window, options)).candles,
        query,
      ),
    resolution: naming(call, 'get', '/public/markets/{id}/resolution'),
  };
}

export function tradesOf(call: Call): Trades {
  const list: Trades['list'] = asking(call, 'get', '/public/markets/{id}/trades');
  return {
    list,
    all: (market, query, options) =>
      rowsOf((page?: TradeQuery) => list(market, page, options), 'trades', newestFirst)(query),
    place: (id, body, { idempotencyKey, ...options } = {}) =>
      call('post', '/public/markets/{id}/trade', { path: { id }, body }, options, {
        idempotencyKey: idempotencyKey ?? newIdempotencyKey(),
        limits: ORDER_LIMITS,
      }),
  };
}
