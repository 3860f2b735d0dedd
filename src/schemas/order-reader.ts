/**
 * Reads orders without Joi, which is slow, and converts their fields to commands. The schemas of trades.ts validate
 * the orders that this reader does not accept.
 */
import { parseAddress } from '../crypto/address';
import type { FieldError } from '../domain/errors';
import { LARGEST_AMOUNT, MICROS_PER_USD, wholeMicros } from '../domain/money';
import {
  BOUND_NAMES,
  BOUND_RULES,
  type OrderTerms,
  type TradeBounds,
  type TradeSize,
} from '../domain/order-terms';
import type { Side, TradeAction } from '../domain/types';
import type { PlaceTradeCommand } from '../usecases/commands';
import { sizeMismatches } from './markets';

export interface TradeFields extends TradeBounds {
  side: Side;
  action: TradeAction;
  amount?: bigint;
  shares?: bigint | 'all';
}

/** The price 1, in millionths. */
const HIGHEST_PRICE = MICROS_PER_USD;

export const IDEMPOTENCY_KEY = /^[\x20-\x7e]{1,128}$/;

export function tradeMismatches(fields: TradeFields): FieldError[] {
  const { action: way, amount, shares } = fields;
  const errors = sizeMismatches(way, amount, shares);
  if (amount === undefined && shares === undefined) {
    errors.push({ field: 'amount', message: 'amount or shares is required' });
  }
  if (shares === 'all' && way === 'buy') {
    errors.push({ field: 'shares', message: 'shares: "all" sells a position; a buy needs a number' });
  }
  for (const [bound, { action }] of BOUND_RULES) {
    if (fields[bound] !== undefined && action !== way) {
      errors.push({ field: bound, message: `${bound} is for a ${action} only` });
    }
  }
  return errors;
}

export function toOrder({ side, action, amount, shares, ...bounds }: TradeFields): OrderTerms {
  return { side, action, size: sizeOf(amount, shares), bounds };
}

function sizeOf(amount: bigint | undefined, shares: bigint | 'all' | undefined): TradeSize {
  if (amount !== undefined) return { amount };
  return shares === 'all' ? 'all' : { shares: shares ?? 0n };
}

// --- the reader without Joi ---

type Raw = Readonly<Record<string, unknown>>;

const ORDER_NAMES = ['side', 'action', 'amount', 'shares', ...BOUND_NAMES];
const BODY_NAMES: ReadonlySet<string> = new Set(ORDER_NAMES);
const INPUT_NAMES: ReadonlySet<string> = new Set([...ORDER_NAMES, 'wallet', 'market', 'idempotencyKey']);

/** Reads the body of an order, with the same result as its schema. `null`: the schema has to decide. */
export function readOrderFast(raw: Raw): OrderTerms | null {
  return hasOnly(raw, BODY_NAMES) ? ordinaryOrder(raw) : null;
}

/** Like `readOrderFast`, for the argument of `pm.placeTrade`, which also has wallet, market and idempotency key. */
export function readOrderInputFast(raw: Raw): PlaceTradeCommand | null {
  if (!hasOnly(raw, INPUT_NAMES)) return null;
  const wallet = parseAddress(raw.wallet);
  const market = ordinaryReference(raw.market);
  const { idempotencyKey } = raw;
  if (wallet === null || market === null || !isIdempotencyKey(idempotencyKey)) return null;
  const order = ordinaryOrder(raw);
  return order && { ...order, wallet, market, idempotencyKey: idempotencyKey ?? null };
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

function ordinaryOrder(raw: Raw): OrderTerms | null {
  const { side, action = 'buy' } = raw;
  if ((side !== 'YES' && side !== 'NO') || (action !== 'buy' && action !== 'sell')) return null;
  const amount = ordinaryNumber(raw.amount, LARGEST_AMOUNT);
  const shares = raw.shares === 'all' ? 'all' : ordinaryNumber(raw.shares, LARGEST_AMOUNT);
  if (amount === null || amount === 0n || shares === null || shares === 0n) return null;
  const bounds: TradeBounds = {};
  for (const [name, { kind }] of BOUND_RULES) {
    const bound = ordinaryNumber(raw[name], kind === 'price' ? HIGHEST_PRICE : LARGEST_AMOUNT);
    if (bound === null) return null;
    if (bound !== undefined) bounds[name] = bound;
  }
  const fields: TradeFields = { side, action, ...bounds };
  if (amount !== undefined) fields.amount = amount;
  if (shares !== undefined) fields.shares = shares;
  return tradeMismatches(fields).length === 0 ? { side, action, size: sizeOf(amount, shares), bounds } : null;
}

/** A number from 0 to `most`, in millionths. `undefined` without a value, `null` for another value. */
function ordinaryNumber(value: unknown, most: bigint): bigint | null | undefined {
  if (value === undefined) return undefined;
  if (typeof value !== 'number' || value < 0 || Object.is(value, -0)) return null;
  const micros = wholeMicros(value);
  return micros !== null && micros <= most ? micros : null;
}
