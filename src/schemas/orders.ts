/**
 * Orders: the step from checked fields to the command, and a fast reader of ordinary orders that does not use
 * Joi. Joi took longer to validate an order than the service takes to decide it.
 */
import { parseAddress } from '../crypto/address';
import type { FieldError } from '../domain/errors';
import { LARGEST_AMOUNT, MICROS_PER_USD, wholeMicros } from '../domain/money';
import type { TradeBounds, TradeSize } from '../domain/trade';
import type { Side, TradeAction } from '../domain/types';
import type { PlaceTradeCommand } from '../usecases/commands';
import { sizeMismatches } from './markets';

/** The part of an order that its own fields say. Over HTTP the wallet and the market come from elsewhere. */
export type Order = Omit<PlaceTradeCommand, 'wallet' | 'market' | 'idempotencyKey'>;

export interface TradeFields extends TradeBounds {
  side: Side;
  action: TradeAction;
  amount?: bigint;
  shares?: bigint | 'all';
}

/** 1, in millionths. */
const HIGHEST_PRICE = MICROS_PER_USD;

export const IDEMPOTENCY_KEY = /^[\x20-\x7e]{1,128}$/;

/**
 * The kind of order that each bound applies to. On the other kind it is refused, because it would not protect
 * the caller who set it.
 */
const BOUND_OF: Record<keyof TradeBounds, TradeAction> = {
  maxPrice: 'buy',
  minShares: 'buy',
  maxCost: 'buy',
  minPrice: 'sell',
  minPayout: 'sell',
};
const BOUNDS = Object.entries(BOUND_OF) as [keyof TradeBounds, TradeAction][];

export function tradeMismatches(fields: TradeFields): FieldError[] {
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

/**
 * Fields that are not part of an order stay as they are, because the input of the typed method has more
 * fields.
 */
export function toOrder({
  amount,
  shares,
  maxPrice,
  minPrice,
  minShares,
  maxCost,
  minPayout,
  ...rest
}: TradeFields): Order {
  const bounds = boundsOf({ maxPrice, minPrice, minShares, maxCost, minPayout });
  return { ...rest, size: sizeOf(amount, shares), bounds };
}

function sizeOf(amount: bigint | undefined, shares: bigint | 'all' | undefined): TradeSize {
  if (amount !== undefined) return { amount };
  return shares === 'all' ? 'all' : { shares: shares ?? 0n };
}

function boundsOf(fields: Readonly<Record<keyof TradeBounds, bigint | undefined>>): TradeBounds {
  const { maxPrice, minPrice, minShares, maxCost, minPayout } = fields;
  const bounds: TradeBounds = {};
  if (maxPrice !== undefined) bounds.maxPrice = maxPrice;
  if (minPrice !== undefined) bounds.minPrice = minPrice;
  if (minShares !== undefined) bounds.minShares = minShares;
  if (maxCost !== undefined) bounds.maxCost = maxCost;
  if (minPayout !== undefined) bounds.minPayout = minPayout;
  return bounds;
}

// --- ordinary orders ---

type Raw = Readonly<Record<string, unknown>>;

const ORDER_NAMES = ['side', 'action', 'amount', 'shares', ...Object.keys(BOUND_OF)];
const BODY_NAMES: ReadonlySet<string> = new Set(ORDER_NAMES);
const INPUT_NAMES: ReadonlySet<string> = new Set([...ORDER_NAMES, 'wallet', 'market', 'idempotencyKey']);

/** Reads the body of an order as its schema would. `null` for a body that is not obviously right. */
export function ordinaryBody(raw: Raw): Order | null {
  return hasOnly(raw, BODY_NAMES) ? ordinaryOrder(raw) : null;
}

/** The same for the argument of the typed method. */
export function ordinaryInput(raw: Raw): PlaceTradeCommand | null {
  if (!hasOnly(raw, INPUT_NAMES)) return null;
  const wallet = parseAddress(raw.wallet);
  const market = ordinaryReference(raw.market);
  const { idempotencyKey } = raw;
  if (wallet === null || market === null || !isIdempotencyKey(idempotencyKey)) return null;
  const order = ordinaryOrder(raw);
  if (order === null) return null;
  const { side, action, size, bounds } = order;
  return { wallet, market, side, action, size, bounds, idempotencyKey: idempotencyKey ?? null };
}

function hasOnly(raw: Raw, names: ReadonlySet<string>): boolean {
  for (const name in raw) if (!names.has(name)) return false;
  return true;
}

function ordinaryReference(market: unknown): string | null {
  if (typeof market === 'string') return market === '' ? null : market;
  return typeof market === 'number' && Number.isSafeInteger(market) && market > 0 ? String(market) : null;
}

/** The key may be absent, but not `null`. */
function isIdempotencyKey(value: unknown): value is string | undefined {
  return value === undefined || (typeof value === 'string' && IDEMPOTENCY_KEY.test(value));
}

function ordinaryOrder(raw: Raw): Order | null {
  const { side, action = 'buy' } = raw;
  if ((side !== 'YES' && side !== 'NO') || (action !== 'buy' && action !== 'sell')) return null;
  const amount = ordinaryNumber(raw.amount, LARGEST_AMOUNT);
  const shares = raw.shares === 'all' ? 'all' : ordinaryNumber(raw.shares, LARGEST_AMOUNT);
  const maxPrice = ordinaryNumber(raw.maxPrice, HIGHEST_PRICE);
  const minPrice = ordinaryNumber(raw.minPrice, HIGHEST_PRICE);
  const minShares = ordinaryNumber(raw.minShares, LARGEST_AMOUNT);
  const maxCost = ordinaryNumber(raw.maxCost, LARGEST_AMOUNT);
  const minPayout = ordinaryNumber(raw.minPayout, LARGEST_AMOUNT);
  if (amount === null || amount === 0n || shares === null || shares === 0n || maxPrice === null) return null;
  if (minPrice === null || minShares === null || maxCost === null || minPayout === null) return null;
  const size = sizeOf(amount, shares);
  const bounds = boundsOf({ maxPrice, minPrice, minShares, maxCost, minPayout });
  const fields: TradeFields = { side, action, ...bounds };
  if (amount !== undefined) fields.amount = amount;
  if (shares !== undefined) fields.shares = shares;
  return tradeMismatches(fields).length === 0 ? { side, action, size, bounds } : null;
}

/** A number from 0 to `most`, in millionths. `undefined` if it is absent, `null` for everything else. */
function ordinaryNumber(value: unknown, most: bigint): bigint | null | undefined {
  if (value === undefined) return undefined;
  if (typeof value !== 'number' || value < 0 || Object.is(value, -0)) return null;
  const micros = wholeMicros(value);
  return micros !== null && micros <= most ? micros : null;
}
