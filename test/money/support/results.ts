import type { Outcome } from '../../../src/domain/types';
import type { DepositView } from '../../../src/views/account';
import type { MarketDetailView } from '../../../src/views/market';
import type { ExecutedTradeView } from '../../../src/views/trade';
import type { ModelMarket, Order } from './model';

export type Result<T> = { value: T } | { code: string };

export interface PlacedOrder {
  order: Order;
  result: Result<ExecutedTradeView>;
}
export interface Deposit {
  address: string;
  amount: bigint;
  reference: string;
  result: Result<DepositView>;
}
export interface Creation {
  /** `null`: the wallet is not approved, so no market was opened. */
  creator: string | null;
  result: Result<MarketDetailView>;
}
export interface Closing {
  market: ModelMarket;
  result: Result<MarketDetailView>;
}
export interface Resolution extends Closing {
  outcome: Outcome;
}

export interface WaveResults {
  orders: PlacedOrder[];
  deposits: Deposit[];
  created: Creation[];
  closed: Closing[];
  resolved: Resolution[];
  garbage: { expected: string; result: Result<unknown> }[];
}

export function noResults(): WaveResults {
  return { orders: [], deposits: [], created: [], closed: [], resolved: [], garbage: [] };
}

export async function resultOf<T>(promise: Promise<T>): Promise<Result<T>> {
  try {
    return { value: await promise };
  } catch (error) {
    if (error instanceof Error && 'code' in error) return { code: String(error.code) };
    throw error;
  }
}

export function valueOf<T>(result: Result<T>): T {
  if ('code' in result) throw new Error(`refused with ${result.code}`);
  return result.value;
}
