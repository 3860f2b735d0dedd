import { lmsr } from '../../../src/domain/lmsr';
import type {
  AcceptedTrade,
  decideTrade,
  quoteTrade,
  TradeCommand,
  TradeState,
} from '../../../src/domain/trade';
import type { Position } from '../../../src/domain/types';
import { marketOf, T0, wallet } from './arbitraries';

export const USD = 1_000_000n;
export const RULES = { pricing: lmsr, feeBasisPoints: 50n };
export const TRADER = wallet(1);

export const position = (changes: Partial<Position> = {}): Position => ({
  marketId: 7,
  wallet: TRADER,
  side: 'YES',
  shares: 20n * USD,
  costBasis: 11n * USD,
  realizedPnl: 0n,
  feesPaid: 50_000n,
  paidOut: false,
  updatedAt: T0,
  ...changes,
});
export const state = (changes: Partial<TradeState> = {}): TradeState => ({
  market: marketOf(),
  position: null,
  available: 1_000n * USD,
  ...changes,
});
export const held = (changes: Partial<Position> = {}, shares = 20n * USD): TradeState =>
  state({
    market: marketOf({ sharesYes: shares, pool: 30n * USD }),
    position: position({ shares, ...changes }),
  });
export const command = (changes: Partial<TradeCommand> = {}): TradeCommand => ({
  wallet: TRADER,
  side: 'YES',
  action: 'buy',
  size: { amount: 10n * USD },
  bounds: {},
  now: T0 + 1_000,
  ...changes,
});
export const sale = (changes: Partial<TradeCommand> = {}): TradeCommand =>
  command({ action: 'sell', size: { shares: 5n * USD }, ...changes });

export function accepted(result: ReturnType<typeof decideTrade>): AcceptedTrade {
  if (!result.accepted) throw result.error;
  return result;
}
export function refusal(result: ReturnType<typeof decideTrade> | ReturnType<typeof quoteTrade>): string {
  return result.accepted ? 'accepted' : result.error.code;
}
