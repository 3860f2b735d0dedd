/** An order follows from its idempotency key, so that another process can send the same order again. */
import type { PlaceTradeInput } from '../../src/inputs';
import { CRASH_WALLETS } from './wallets';

export type CrashOrder = PlaceTradeInput & { idempotencyKey: string; market: number };

/** `run` must not contain a hyphen, because hyphens separate the parts of a key. */
export function orderKey(run: string, walletIndex: number, count: number): string {
  return `${run}-${walletIndex}-${count}`;
}

/** Alternates YES and NO on each market, so that no wallet moves the price far. */
export function orderOf(idempotencyKey: string, markets: readonly number[]): CrashOrder {
  const [, index = NaN, count = NaN] = idempotencyKey.split('-').map(Number);
  const wallet = CRASH_WALLETS[index];
  const market = markets[count % markets.length];
  if (wallet === undefined || market === undefined)
    throw new Error(`an order of no wallet or market: ${idempotencyKey}`);
  const round = Math.floor(count / markets.length);
  const side = (round + index) % 2 === 0 ? 'YES' : 'NO';
  const common = { idempotencyKey, wallet, market, side } as const;
  return count % 8 >= 6
    ? { ...common, action: 'sell', shares: 0.5 }
    : { ...common, action: 'buy', amount: 1 };
}
