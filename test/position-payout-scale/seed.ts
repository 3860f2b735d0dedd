import { candlesOfTrade, mergeCandle } from '../../src/domain/candles';
import { depositPosting, poolAccount, tradePosting, walletAccount } from '../../src/domain/ledger';
import type { Address, Candle, Deposit, Market, NewTrade, Position, Posting } from '../../src/domain/types';
import type { Storage, Transaction } from '../../src/ports/storage';

export const SHARES = 1_000_000n;
/** The price that the seed records for the shares of each position: half a USD for each share. */
export const COST = SHARES / 2n;
const ROWS_PER_TRANSACTION = 5_000;

export function holder(index: number): Address {
  return `0x${(index + 1).toString(16).padStart(40, '0')}`;
}

/** `count` must be even, so that the positions together hold as many YES shares as NO shares. */
export async function plantPositions(
  storage: Storage,
  marketId: number,
  count: number,
  now: number,
  first = 0,
): Promise<void> {
  for (let from = 0; from < count; from += ROWS_PER_TRANSACTION) {
    const indexes = Array.from(
      { length: Math.min(ROWS_PER_TRANSACTION, count - from) },
      (_, row) => first + from + row,
    );
    await storage.transaction((transaction) => plantSome(transaction, marketId, indexes, now));
  }
}

async function plantSome(
  transaction: Transaction,
  marketId: number,
  indexes: readonly number[],
  now: number,
): Promise<void> {
  const [market] = await transaction.markets.lock([marketId]);
  if (market === undefined) throw new Error(`There is no market ${marketId}`);
  const positions = indexes.map((index) => positionOf(marketId, index, now));
  const ids = await transaction.trades.insert(positions.map((position) => tradeOf(position, now)));
  const deposit = depositOf(marketId, positions, now);
  const postings = positions.map((_position, row) => purchaseOf(market, ids[row] ?? 0, now));
  await transaction.candles.merge(candlesOf(positions.map((position) => tradeOf(position, now))));
  await transaction.positions.save(positions);
  await transaction.deposits.insert(deposit.record);
  await transaction.postings.insert([deposit.posting, ...postings]);
  await transaction.accounts.apply(
    [
      { id: 'external', balance: -COST * BigInt(positions.length) },
      ...positions.map(({ wallet }) => ({
        id: walletAccount(wallet),
        balance: 0n,
        activityCount: 1,
        openPositions: 1,
        totalPositions: 1,
      })),
    ],
    now,
  );
  await transaction.markets.update([grown(market, BigInt(positions.length))]);
}

function positionOf(marketId: number, index: number, now: number): Position {
  return {
    marketId,
    wallet: holder(index),
    side: index % 2 === 0 ? 'YES' : 'NO',
    shares: SHARES,
    costBasis: COST,
    realizedPnl: 0n,
    feesPaid: 0n,
    paidOut: false,
    updatedAt: now,
  };
}

function tradeOf({ marketId, wallet, side }: Position, now: number): NewTrade {
  return {
    type: 'trade',
    marketId,
    wallet,
    side,
    action: 'buy',
    shares: SHARES,
    notional: COST,
    fee: 0n,
    totalCost: COST,
    realizedPnl: 0n,
    yesPriceAfter: 500_000,
    createdAt: now,
  };
}

/** The storage accepts one candle for each interval. */
function candlesOf(trades: readonly NewTrade[]): Candle[] {
  const merged = new Map<string, Candle>();
  for (const trade of trades)
    for (const candle of candlesOfTrade(trade, trade.yesPriceAfter)) {
      const key = `${candle.lengthMs}:${candle.time}`;
      const earlier = merged.get(key);
      merged.set(key, earlier === undefined ? candle : mergeCandle(earlier, candle));
    }
  return [...merged.values()];
}

/** One deposit pays for all these positions, because the storage inserts deposits one by one. */
function depositOf(
  marketId: number,
  positions: readonly Position[],
  now: number,
): { record: Deposit; posting: Posting } {
  const amount = COST * BigInt(positions.length);
  const reference = `planted for market ${marketId} from ${positions[0]?.wallet ?? ''}`;
  const credit = { reference, wallet: 'treasury' as const, amount, createdAt: now };
  return { record: { ...credit, balanceAfter: 0n, reservedAfter: 0n }, posting: depositPosting(credit) };
}

function purchaseOf(market: Market, tradeId: number, now: number): Posting {
  const entries = [
    { account: 'treasury' as const, amount: -COST },
    { account: poolAccount(market.id), amount: COST },
  ];
  return tradePosting(tradeId, { kind: 'trade', createdAt: now, entries });
}

function grown(market: Market, positions: bigint): Market {
  const ofEachSide = (positions / 2n) * SHARES;
  return {
    ...market,
    sharesYes: market.sharesYes + ofEachSide,
    sharesNo: market.sharesNo + ofEachSide,
    pool: market.pool + positions * COST,
    volume: market.volume + positions * COST,
    tradeCount: market.tradeCount + Number(positions),
  };
}
