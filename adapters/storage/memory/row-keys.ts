/** The keys of rows, and the functions that sort rows, for the tables and their indexes. */
import type { PaymentKey } from '../../../src/domain/payments';
import type { Market, Position, Side } from '../../../src/domain/types';
import type { ParkedFactKey } from '../../../src/ports/storage';

/** The fields by which markets are sorted. */
export interface MarketKey {
  id: number;
  volume: bigint;
  resolveDate: number;
}
/** A time, and an id for rows with equal times. */
export interface TimeKey<Id> {
  time: number;
  id: Id;
}

export const ALL = 'all';
export const compareNumbers = (a: number, b: number): number => a - b;
export const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
export const compareBigints = (a: bigint, b: bigint): number => (a < b ? -1 : a > b ? 1 : 0);
export const sideRank = (side: Side): number => (side === 'YES' ? 0 : 1);

export const byVolumeDescending = (a: MarketKey, b: MarketKey): number =>
  compareBigints(b.volume, a.volume) || b.id - a.id;
export const byIdDescending = (a: MarketKey, b: MarketKey): number => b.id - a.id;
export const byResolveDate = (a: MarketKey, b: MarketKey): number =>
  a.resolveDate - b.resolveDate || a.id - b.id;

export const newestMarketFirst = (a: Position, b: Position): number =>
  b.marketId - a.marketId || sideRank(a.side) - sideRank(b.side);
export const newestChangeFirst = (a: TimeKey<string>, b: TimeKey<string>): number =>
  b.time - a.time || compareText(a.id, b.id);

export const marketPartition = (market: { status: string; category: string }): string =>
  `${market.status}|${market.category}`;
export const dueStep = ({ awaitsOracle }: Pick<Market, 'awaitsOracle'>): string =>
  awaitsOracle ? 'round' : 'other';
export const marketKey = ({ id, volume, resolveDate }: Market): MarketKey => ({ id, volume, resolveDate });
export const positionKey = (position: { marketId: number; wallet: string; side: Side }): string =>
  `${position.marketId}:${position.wallet}:${position.side}`;
export const riskKey = (risk: { creator: string; liquidityParameter: bigint }): string =>
  `${risk.creator}:${risk.liquidityParameter}`;
export const candleSeries = (candle: { marketId: number; lengthMs: number }): string =>
  `${candle.marketId}:${candle.lengthMs}`;
export const idempotencyKey = (record: { wallet: string; key: string }): string =>
  `${record.wallet} ${record.key}`;

export const paymentKey = ({ asset, payer, nonce }: PaymentKey): string => `${asset}:${payer}:${nonce}`;

export const parkedFactKey = ({ consumer, epoch, seq }: ParkedFactKey): string =>
  `${consumer} ${epoch} ${seq}`;
export function bySeqThenEpoch(
  a: Omit<ParkedFactKey, 'consumer'>,
  b: Omit<ParkedFactKey, 'consumer'>,
): number {
  return a.seq - b.seq || compareText(a.epoch, b.epoch);
}

export const roundKey = ({ marketId, round }: { marketId: number; round: number }): string =>
  `${marketId}:${round}`;

export function byTimeThenText(a: TimeKey<string>, b: TimeKey<string>): number {
  return a.time - b.time || compareText(a.id, b.id);
}

export function byTimeThenNumber(a: TimeKey<number>, b: TimeKey<number>): number {
  return a.time - b.time || a.id - b.id;
}
