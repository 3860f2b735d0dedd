/** Hooks that return data and keep them current. */
import { useMemo, useSyncExternalStore } from 'react';
import type { MarketDetail, Position } from '../api.generated';
import { useStore } from './provider';
import { LOADING, type Shown, type Source } from './shown';

/** The figures of a market that change with each trade. */
export interface MarketPrice {
  /** Price of YES, from 0 to 1. */
  readonly yesPrice: number;
  /** Price of NO, from 0 to 1. */
  readonly noPrice: number;
  /** Total trade volume before fees, in USD. */
  readonly volume: number;
  /** What the pool would pay if every holder sold now, in USD. */
  readonly liquidity: number;
}

/**
 * The wallet's shares of one side. These figures do not depend on the trades of others. `usePrice` gives the
 * price.
 */
export type Holding = Pick<
  Position,
  'side' | 'shares' | 'avgPrice' | 'costBasis' | 'maxPayout' | 'realizedPnl' | 'feesPaid'
>;

/** The market as `client.markets.get` answers it, kept current by the live feed. */
export function useMarket(marketId: number): Shown<MarketDetail> {
  const store = useStore();
  return useSource(useMemo(() => store.market(marketId), [store, marketId]));
}

/** The prices, the volume and the liquidity of the market, kept current by the live feed. */
export function usePrice(marketId: number): Shown<MarketPrice> {
  const market = useMarket(marketId);
  return useMemo(() => derived(market, priceOf), [market]);
}

/** The open positions of the wallet of the client's key in the market: none, YES, NO, or both. */
export function usePosition(marketId: number): Shown<readonly Holding[]> {
  const store = useStore();
  const positions = useSource(useMemo(() => store.positions(), [store]));
  return useMemo(() => derived(positions, (all) => holdingsOf(all, marketId)), [positions, marketId]);
}

function useSource<Data>({ subscribe, get }: Source<Data>): Shown<Data> {
  return useSyncExternalStore(subscribe, get, onServer);
}

function onServer(): Shown<never> {
  return LOADING;
}

function derived<From, To>(shown: Shown<From>, part: (data: From) => To): Shown<To> {
  return { ...shown, data: shown.data === null ? null : part(shown.data) };
}

function priceOf({ yesPrice, noPrice, volume, liquidity }: MarketDetail): MarketPrice {
  return { yesPrice, noPrice, volume, liquidity };
}

function holdingsOf(positions: readonly Position[], marketId: number): Holding[] {
  return positions
    .filter((position) => position.marketId === marketId)
    .map(({ side, shares, avgPrice, costBasis, maxPayout, realizedPnl, feesPaid }) => ({
      ...{ side, shares, avgPrice, costBasis, maxPayout, realizedPnl, feesPaid },
    }));
}
