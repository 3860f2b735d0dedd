/** The Joi schemas of orders and of the public list of trades. order-reader.ts reads ordinary orders without Joi. */
import Joi from 'joi';
import { validationError } from '../domain/errors';
import { BOUND_RULES, type BoundName, type OrderTerms } from '../domain/order-terms';
import type { Address } from '../domain/types';
import type { ListTradesInput, OrderFields } from '../inputs';
import type { ListTradesCommand, MarketCommand, PlaceTradeCommand } from '../usecases/commands';
import { action, marketReference, pageFields, side } from './common';
import { amountOrZero, positiveAmount, priceBound } from './money';
import { IDEMPOTENCY_KEY, toOrder, tradeMismatches, type TradeFields } from './order-reader';
import { convertedSchema, inputSchema } from './input';
import type { Rules } from './rules';
import { address } from './text';

function boundFields(): Record<BoundName, Joi.NumberSchema> {
  const field = ([name, { kind, description }]: (typeof BOUND_RULES)[number]) =>
    [name, (kind === 'price' ? priceBound() : amountOrZero()).description(description)] as const;
  return Object.fromEntries(BOUND_RULES.map(field)) as Record<BoundName, Joi.NumberSchema>;
}

type OrderInput = Omit<OrderFields, 'wallet' | 'market' | 'idempotencyKey'>;

const orderFields: Rules<OrderInput> = {
  side: side().required(),
  action: action(),
  amount: positiveAmount().description('USD to spend, fee included; buys only. One of amount and shares'),
  shares: positiveAmount()
    .allow('all')
    .description('Shares to buy or sell; "all" sells the whole position. One of amount and shares'),
  ...boundFields(),
};

export const tradeBody = convertedSchema<OrderInput, TradeFields, OrderTerms>(
  orderFields,
  toOrder,
  tradeMismatches,
);

const IDEMPOTENCY_MESSAGE = 'Idempotency-Key must be 1 to 128 printable ASCII characters';

export const idempotencyKeyHeader = Joi.string()
  .pattern(IDEMPOTENCY_KEY)
  .messages({ 'string.pattern.base': IDEMPOTENCY_MESSAGE, 'string.empty': IDEMPOTENCY_MESSAGE });

/** The value of the header. `null` when the caller did not send the header. Throws VALIDATION_ERROR. */
export function parseIdempotencyKey(value: string | string[] | undefined): string | null {
  if (value === undefined) return null;
  if (typeof value === 'string' && IDEMPOTENCY_KEY.test(value)) return value;
  throw validationError([{ field: 'Idempotency-Key', message: IDEMPOTENCY_MESSAGE }]);
}

type PlacedFields = TradeFields & MarketCommand & { wallet: Address; idempotencyKey?: string };

export const placeTradeInput = convertedSchema<OrderFields, PlacedFields, PlaceTradeCommand>(
  {
    ...orderFields,
    wallet: address().required(),
    market: marketReference(),
    idempotencyKey: idempotencyKeyHeader,
  },
  ({ wallet, market, idempotencyKey = null, ...fields }) => ({
    ...toOrder(fields),
    wallet,
    market,
    idempotencyKey,
  }),
  tradeMismatches,
);

const listFields: Rules<Omit<ListTradesInput, 'market'>> = {
  side: side().description('Both when left out'),
  ...pageFields,
};

export const listTradesQuery = inputSchema<
  Omit<ListTradesInput, 'market'>,
  Omit<ListTradesCommand, 'market'>
>(listFields, { side: null });
export const listTradesInput = inputSchema<ListTradesInput, ListTradesCommand>(
  { ...listFields, market: marketReference() },
  { side: null },
);
