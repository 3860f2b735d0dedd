/**
 * Trades: orders and the public list. Orders are frequent, so their schema has flat fields and no conditions.
 */
import Joi from 'joi';
import { validationError } from '../domain/errors';
import type { ListTradesInput, PlaceTradeInput } from '../inputs';
import type { ListTradesCommand, PlaceTradeCommand } from '../usecases/commands';
import { absentAsNull, action, marketReference, pageFields, side, toCommand } from './common';
import { amountOrZero, positiveAmount, priceBound } from './money';
import { IDEMPOTENCY_KEY, ordinaryBody, ordinaryInput, toOrder, tradeMismatches, type Order } from './orders';
import { inputSchema, type InputSchema, type Rules } from './input';
import { setShortcut } from './parse';
import { address } from './text';

const tradeRules: Rules<Omit<PlaceTradeInput, 'wallet' | 'market' | 'idempotencyKey'>> = {
  side: side().required(),
  action: action(),
  amount: positiveAmount().description('USD to spend, fee included; buys only. One of amount and shares'),
  shares: positiveAmount().allow('all').description('"all" sells the whole position'),
  maxPrice: priceBound().description('Buys: the highest price per share, fee not counted'),
  minPrice: priceBound().description('Sales: the lowest price per share, fee not counted'),
  minShares: amountOrZero().description('Buys: the fewest shares'),
  maxCost: amountOrZero().description('Buys: the most USD, fee included'),
  minPayout: amountOrZero().description('Sales: the fewest USD, fee deducted'),
};
const tradeFields = Joi.object(tradeRules).custom(toCommand(toOrder, tradeMismatches));

export const tradeBody: Joi.ObjectSchema<Order> = tradeFields;
setShortcut(tradeBody, ordinaryBody);

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
setShortcut(placeTradeInput, ordinaryInput);

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
