/** Trades: orders and the public listing. The order is hot: flat fields, no conditional schemas. */
import Joi from 'joi';
import { validationError, type FieldError } from '../domain/errors';
import type { Side, TradeAction } from '../domain/types';
import type { TradeBounds, TradeSize } from '../domain/trade';
import type { ListTradesCommand, PlaceTradeCommand } from '../usecases/commands';
import { absentAsNull, action, marketReference, pageFields, side, toCommand } from './common';
import { sizeMismatches } from './markets';
import { amountOrZero, positiveAmount, priceBound } from './money';
import { address } from './text';

interface TradeFields extends TradeBounds {
  side: Side;
  action: TradeAction;
  amount?: bigint;
  shares?: bigint | 'all';
}

/**
 * Which way each bound can bind. On the other way it is refused: whoever sets it counts on its protection, and it
 * would give none.
 */
const BOUND_OF: Record<keyof TradeBounds, TradeAction> = {
  maxPrice: 'buy',
  minShares: 'buy',
  maxCost: 'buy',
  minPrice: 'sell',
  minPayout: 'sell',
};
const BOUNDS = Object.entries(BOUND_OF) as [keyof TradeBounds, TradeAction][];

function tradeMismatches(fields: TradeFields): FieldError[] {
  const { action: way, amount, shares } = fields;
  const errors = sizeMismatches(way, amount, shares);
  if (amount === undefined && shares === undefined) {
    errors.push({ field: 'amount', message: 'amount or shares is required' });
  }
  if (shares === 'all' && way === 'buy') {
    errors.push({ field: 'shares', message: 'shares: "all" sells a position; a buy needs a number' });
  }
  for (const [bound, of] of BOUNDS) {
    if (fields[bound] !== undefined && of !== way) {
      errors.push({ field: bound, message: `${bound} is for a ${of} only` });
    }
  }
  return errors;
}

function toOrder({
  amount,
  shares,
  maxPrice,
  minPrice,
  minShares,
  maxCost,
  minPayout,
  ...rest
}: TradeFields): Omit<PlaceTradeCommand, 'wallet' | 'market' | 'idempotencyKey'> {
  const size: TradeSize =
    amount !== undefined ? { amount } : shares === 'all' ? 'all' : { shares: shares ?? 0n };
  const bounds: TradeBounds = {};
  if (maxPrice !== undefined) bounds.maxPrice = maxPrice;
  if (minPrice !== undefined) bounds.minPrice = minPrice;
  if (minShares !== undefined) bounds.minShares = minShares;
  if (maxCost !== undefined) bounds.maxCost = maxCost;
  if (minPayout !== undefined) bounds.minPayout = minPayout;
  return { ...rest, size, bounds };
}

const tradeFields = Joi.object({
  side: side().required(),
  action: action(),
  amount: positiveAmount().description('USD to spend, fee included; buys only. One of amount and shares'),
  shares: positiveAmount().allow('all').description('"all" sells the whole position'),
  maxPrice: priceBound().description('Buys: the highest price per share, fee not counted'),
  minPrice: priceBound().description('Sales: the lowest price per share, fee not counted'),
  minShares: amountOrZero().description('Buys: the fewest shares'),
  maxCost: amountOrZero().description('Buys: the most USD, fee included'),
  minPayout: amountOrZero().description('Sales: the fewest USD, fee deducted'),
}).custom(toCommand(toOrder, tradeMismatches));

export const tradeBody: Joi.ObjectSchema<Omit<PlaceTradeCommand, 'wallet' | 'market' | 'idempotencyKey'>> =
  tradeFields;

const IDEMPOTENCY_KEY = /^[\x20-\x7e]{1,128}$/;
const IDEMPOTENCY_MESSAGE = 'Idempotency-Key must be 1 to 128 printable ASCII characters';

export const idempotencyKeyHeader = Joi.string()
  .pattern(IDEMPOTENCY_KEY)
  .messages({ 'string.pattern.base': IDEMPOTENCY_MESSAGE, 'string.empty': IDEMPOTENCY_MESSAGE });

/** The header's value; `null` when it was not sent. Throws VALIDATION_ERROR. */
export function parseIdempotencyKey(value: string | string[] | undefined): string | null {
  if (value === undefined) return null;
  if (typeof value === 'string' && IDEMPOTENCY_KEY.test(value)) return value;
  throw validationError([{ field: 'Idempotency-Key', message: IDEMPOTENCY_MESSAGE }]);
}

export const placeTradeInput: Joi.ObjectSchema<PlaceTradeCommand> = tradeFields
  .keys({ wallet: address().required(), market: marketReference(), idempotencyKey: idempotencyKeyHeader })
  .custom(absentAsNull('idempotencyKey'));

const listFields = Joi.object({ side: side().description('Both when left out'), ...pageFields }).custom(
  absentAsNull('side'),
);

export const listTradesQuery: Joi.ObjectSchema<Omit<ListTradesCommand, 'market'>> = listFields;
export const listTradesInput: Joi.ObjectSchema<ListTradesCommand> = listFields.keys({
  market: marketReference(),
});
