import type Joi from 'joi';
import type { FieldError } from '../domain/errors';
import { LONGEST_SEARCH, MOST_SEARCH_WORDS, searchTerms } from '../domain/search-terms';
import { CANDLE_INTERVALS, type CandleInterval } from '../domain/candles';
import { CATEGORIES, MARKET_STATUSES, type Side, type TradeAction } from '../domain/types';
import type {
  CreateMarketInput,
  ListMarketsInput,
  MarketReferenceInput,
  PriceHistoryInput,
  QuoteInput,
} from '../inputs';
import { MARKET_SORTS } from '../ports/storage/markets';
import type {
  CreateMarketCommand,
  ListMarketsCommand,
  MarketCommand,
  PriceHistoryCommand,
  QuoteCommand,
} from '../usecases/commands';
import { action, cappedLimit, categoryFilter, marketReference, oneOf, pageFields, side } from './common';
import { convertedSchema, inputSchema } from './input';
import type { Rules } from './rules';
import { positiveAmount } from './money';
import { address, instant, line, paragraphs } from './text';

const MOST_CANDLES = 500;
const DEFAULT_INTERVAL: CandleInterval = '1h';

export const marketInput = inputSchema<MarketReferenceInput, MarketCommand>(
  { market: marketReference() },
  {},
);

export const listMarketsQuery = inputSchema<ListMarketsInput, ListMarketsCommand>(
  {
    status: oneOf(MARKET_STATUSES).description('All statuses when left out'),
    category: categoryFilter(),
    q: line(LONGEST_SEARCH).description(
      `Words of the question, or their beginnings; at most ${MOST_SEARCH_WORDS}`,
    ),
    sort: oneOf(MARKET_SORTS).default('volume_desc').description('`volume_desc` when left out'),
    ...pageFields,
  },
  { status: null, category: null, q: null },
  wrongNumberOfWords,
);

function wrongNumberOfWords({ q }: { q?: string | null }): FieldError[] {
  if (typeof q !== 'string') return [];
  const { length } = searchTerms(q);
  if (length >= 1 && length <= MOST_SEARCH_WORDS) return [];
  return [{ field: 'q', message: `q must have 1 to ${MOST_SEARCH_WORDS} words` }];
}

/** The question of a market, or a question to the oracle without a market. */
export const questionText = (): Joi.StringSchema =>
  line(280).description('A question to be answered with yes or no');
export const criteriaText = (): Joi.StringSchema => paragraphs(1000);

export const createFields: Rules<Omit<CreateMarketInput, 'creator'>> = {
  question: questionText().required(),
  description: paragraphs(2000).description('Markdown'),
  resolutionCriteria: criteriaText().required().description('What decides the outcome, for the oracle'),
  resolveDate: instant().required().description('When trading ends: ISO 8601, at least 1 hour in the future'),
  category: oneOf(CATEGORIES).required().description('The subject of the market'),
};

export const createMarketBody = inputSchema<
  Omit<CreateMarketInput, 'creator'>,
  Omit<CreateMarketCommand, 'creator'>
>(createFields, { description: null });
export const createMarketInput = inputSchema<CreateMarketInput, CreateMarketCommand>(
  { ...createFields, creator: address().required() },
  { description: null },
);

type QuoteOfMarket = Omit<QuoteCommand, 'market'>;

interface QuoteFields {
  side?: Side;
  action: TradeAction;
  amount?: bigint;
  shares?: bigint;
}

function quoteMismatches({ side: of, action: way, amount, shares }: QuoteFields): FieldError[] {
  const errors: FieldError[] = [];
  const wantsQuote = amount !== undefined || shares !== undefined;
  if (wantsQuote && of === undefined) errors.push({ field: 'side', message: 'side is required for a quote' });
  return [...errors, ...sizeMismatches(way, amount, shares)];
}

/** What is wrong with the size of an order. A sale has no size in money. */
export function sizeMismatches(way: TradeAction, amount: unknown, shares: unknown): FieldError[] {
  if (amount === undefined) return [];
  if (shares !== undefined) return [{ field: 'amount', message: 'Give amount or shares, not both' }];
  return way === 'buy' ? [] : [{ field: 'amount', message: 'amount is for buys; a sale is sized in shares' }];
}

function toQuote({ side: of = 'YES', action: way, amount, shares }: QuoteFields): QuoteOfMarket {
  const size = amount !== undefined ? { amount } : shares !== undefined ? { shares } : null;
  return { side: of, action: way, size };
}

const quoteFields: Rules<Omit<QuoteInput, 'market'>> = {
  side: side().description('Required with amount or shares'),
  action: action(),
  amount: positiveAmount().description('USD to spend, fee included; buys only'),
  shares: positiveAmount().description('Shares to buy or sell'),
};

export const priceQuery = convertedSchema<Omit<QuoteInput, 'market'>, QuoteFields, QuoteOfMarket>(
  quoteFields,
  toQuote,
  quoteMismatches,
);
export const quoteInput = convertedSchema<QuoteInput, QuoteFields & MarketCommand, QuoteCommand>(
  { ...quoteFields, market: marketReference() },
  ({ market, ...fields }) => ({ ...toQuote(fields), market }),
  quoteMismatches,
);

const historyFields: Rules<Omit<PriceHistoryInput, 'market'>> = {
  interval: oneOf(CANDLE_INTERVALS)
    .default(DEFAULT_INTERVAL)
    .description(`How long each candle is; \`${DEFAULT_INTERVAL}\` when left out`),
  startTime: instant().description('Inclusive; ISO 8601 with an offset'),
  endTime: instant().description('Exclusive; ISO 8601 with an offset'),
  limit: cappedLimit(MOST_CANDLES, MOST_CANDLES).description(
    `Keeps the newest; served as at most ${MOST_CANDLES}`,
  ),
};

export const historyQuery = inputSchema<
  Omit<PriceHistoryInput, 'market'>,
  Omit<PriceHistoryCommand, 'market'>
>(historyFields, { startTime: null, endTime: null });
export const priceHistoryInput = inputSchema<PriceHistoryInput, PriceHistoryCommand>(
  { ...historyFields, market: marketReference() },
  { startTime: null, endTime: null },
);
