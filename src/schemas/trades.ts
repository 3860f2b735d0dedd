/**
 * Trades: orders and the public list. Orders are frequent, so their schema has flat fields and no conditions.
 */
import Joi from 'joi';
import { validationError } from '../domain/errors';
import { BOUND_RULES, type BoundName, type OrderTerms } from '../domain/order-terms';
import type { ListTradesInput, PlaceTradeInput } from '../inputs';
import type { ListTradesCommand, PlaceTradeCommand } from '../usecases/commands';
import { absentAsNull, action, marketReference, pageFields, side, toCommand } from './common';
import { amountOrZero, positiveAmount, priceBound } from './money';
import { IDEMPOTENCY_KEY, toOrder, tradeMismatches } from './orders';
import { inputSchema, type InputSchema, type Rules } from './input';
import { address } from './text';

function boundFields(): Record<BoundName, Joi.NumberSchema> {
  const field = ([name, { kind, description }]: (typeof BOUND_RULES)[number]) =>
    [name, (kind === 'price' ? priceBound() : amountOrZero()).description(description)] as const;
  return Object.fromEntries(BOUND_RULES.map(field)) as Record<BoundName, Joi.NumberSchema>;
}

const tradeRules: Rules<Omit<PlaceTradeInput, 'wallet' | 'market' | 'idempotencyKey'>> = {
  side: side().required(),
  action: action(),
  amount: positiveAmount().description('USD to spend, fee included; buys only. One of amount and shares'),
  shares: positiveAmount().allow('all').description('"all" sells the whole position'),
  ...boundFields(),
};
const tradeFields = Joi.object(tradeRules).custom(toCommand(toOrder, tradeMismatches));

export const tradeBody: Joi.ObjectSchema<OrderTerms> = tradeFields;

const IDEMPOTENCY_MESSAGE = 'Idempotency-Key must be 1 to 128 printable ASCII characters';

export const idempotencyKeyHeader = Joi.string()
  .pattern(IDEMPOTENCY_KEY)
  .messages({ 'string.pattern.base': IDEMPOTENCY_MESSAGE, 'string.empty': IDEMPOTENCY_MESSAGE });

/** The value of the header; `null` when it was not sent. Throws VALIDATION_ERROR. */
export function parseIdempotencyKey(value: string | string[] | undefined): string | null {
  if (value === undefined) return null;
  if (typeof value === 'string' && IDEMPOTENCY_KEY.test(value)) return value;
  throw validationError([{ field: 'Idempotency-Key', message: IDEMPOTENCY_MESSAGE }]);
}

export const placeTradeInput: InputSchema<PlaceTradeInput, PlaceTradeCommand> = tradeFields
  .keys({ wallet: address().required(), market: marketReference(), idempotencyKey: idempotencyKeyHeader })
  .custom(absentAsNull('idempotencyKey'));

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
