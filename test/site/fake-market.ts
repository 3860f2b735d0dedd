import type {
  MarketDetailView,
  MarketResolutionView,
  PriceHistoryView,
  ResolutionProgressView,
  TradeView,
} from 'express-prediction-market';
import type { SiteMarket } from 'express-prediction-market/site';

export const NOW = Date.parse('2026-11-21T12:00:00.000Z');
const HOUR = 3_600_000;

export function fakeDetail(id: number, change: Partial<MarketDetailView> = {}): MarketDetailView {
  return {
    id,
    tickerId: `PM-${String(id).padStart(4, '0')}`,
    slug: `market-${id}`,
    question: `Will question number ${id} be answered with yes?`,
    category: 'science',
    status: 'open',
    yesPrice: 0.62,
    noPrice: 0.38,
    volume: 15230.5 * id,
    liquidity: 412.25,
    resolveDate: '2026-12-24T18:00:00.000Z',
    createdAt: new Date(NOW - 48 * HOUR).toISOString(),
    description: 'Some **background**.\n\nA second paragraph.',
    resolutionCriteria: 'YES if the official page says so by the closing date, otherwise NO.',
    creator: { address: '0x1111111111111111111111111111111111111111', displayName: 'Ada' },
    resolution: null,
    ...change,
  };
}

export function fakeTrades(count: number): TradeView[] {
  return Array.from({ length: count }, (_, index) => ({
    id: count - index,
    marketId: 1,
    side: index % 3 === 0 ? ('NO' as const) : ('YES' as const),
    action: index % 4 === 3 ? ('sell' as const) : ('buy' as const),
    shares: 19.05 * (index + 1),
    pricePerShare: 0.52 + index / 100,
    totalCost: 10 * (index + 1),
    fee: 0.05,
    traderAddress: '0x1234...abcd',
    createdAt: new Date(NOW - index * HOUR).toISOString(),
  }));
}

export function fakeCandles(count: number): PriceHistoryView['candles'] {
  const price = (index: number): number =>
    Math.min(0.97, Math.max(0.03, 0.45 + 0.15 * Math.sin(index / 9) + index / 600));
  return Array.from({ length: count }, (_, index) => ({
    time: new Date(NOW - (count - index) * HOUR).toISOString(),
    open: price(index),
    high: price(index + 1),
    low: price(index),
    close: price(index + 1),
    volume: 10,
    trades: 1,
  }));
}

/** A refusal that is no instance of `PredictionMarketError`. The pages recognise refusals by name and fields. */
export function refusal(code: string, status: number, message: string): Error {
  return Object.assign(new Error(message), { name: 'PredictionMarketError', code, status });
}

function fakeResolution(market: MarketDetailView | undefined): MarketResolutionView {
  const { id = 0, status = 'open', resolution = null } = market ?? {};
  return {
    marketId: id,
    status,
    outcome: resolution?.outcome ?? null,
    method: resolution?.method ?? null,
    resolvedAt: resolution?.resolvedAt ?? null,
    oracleConsensus: resolution?.oracleConsensus ?? null,
    note: null,
    votes: [],
    citations: [],
  };
}

export interface FakeMarket extends SiteMarket {
  resolution: Partial<MarketResolutionView>;
  progress: ResolutionProgressView | null;
  calls: string[];
  failWith: Error | null;
}

export function fakeMarket(
  markets: MarketDetailView[],
  trades = fakeTrades(6),
  candles = fakeCandles(96),
): FakeMarket {
  const fake: FakeMarket = {
    calls: [],
    failWith: null,
    resolution: {},
    progress: null,
    async listMarkets(input = {}) {
      answer('listMarkets', input);
      const { limit = 20, offset = 0 } = input;
      const found = markets.filter(
        ({ status, category }) =>
          (input.status === undefined || input.status === status) &&
          (input.category === undefined || input.category === category),
      );
      return { markets: found.slice(offset, offset + limit), total: found.length, limit, offset };
    },
    async getMarket(reference) {
      answer('getMarket', { reference });
      const found = markets.find(({ id, slug }) => String(id) === String(reference) || slug === reference);
      if (found === undefined) throw refusal('MARKET_NOT_FOUND', 404, 'Market not found');
      return found;
    },
    async getMarketResolution(reference) {
      answer('getMarketResolution', { reference });
      return { ...fakeResolution(markets.find(({ id }) => id === reference)), ...fake.resolution };
    },
    async getResolutionProgress(reference) {
      answer('getResolutionProgress', { reference });
      return fake.progress;
    },
    async listTrades(input) {
      answer('listTrades', input);
      return { trades, total: trades.length, limit: 20, offset: 0 };
    },
    async previewMarket({ question, resolutionCriteria, resolveDate, category, description = null }) {
      answer('previewMarket', { question });
      const { id: _id, tickerId: _tickerId, creator: _creator, ...opened } = fakeDetail(1);
      const written = { question, resolutionCriteria, resolveDate, category, description };
      return { ...opened, ...written, yesPrice: 0.5, noPrice: 0.5, volume: 0, liquidity: 0 };
    },
    async getPriceHistory(input) {
      answer('getPriceHistory', input);
      return { marketId: 1, interval: input.interval ?? '1h', candles };
    },
    async getPrice(input) {
      answer('getPrice', input);
      return { marketId: 1, yesPrice: 0.5, noPrice: 0.5, liquidity: 0, asOf: '', quote: null };
    },
  };
  function answer(name: string, input: object): void {
    fake.calls.push(`${name} ${JSON.stringify(input)}`);
    if (fake.failWith !== null) throw fake.failWith;
  }
  return fake;
}
