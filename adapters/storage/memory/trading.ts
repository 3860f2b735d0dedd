import { walletAccount } from '../../../src/domain/ledger';
import type { Candle, Position, Trade } from '../../../src/domain/types';
import type {
  CandleReader,
  CandleRepository,
  PositionReader,
  PositionRecord,
  PositionRepository,
  PositionStatus,
  TradeReader,
  TradeRepository,
} from '../../../src/ports/storage';
import { addTo, candleSeries, newestMarketFirst, positionKey, type Database, type Gate } from './database';
import { marketRecordOf } from './markets';
import { mergedPage, only, take } from './paging';
import { copyCandle, copyPosition, copyTrade } from './rows';

export function positionReader(db: Database, gate: Gate): PositionReader {
  return {
    list: (query) =>
      gate(() => {
        const statuses = query.status === 'all' ? ['open', 'closed'] : [query.status];
        const branches = statuses.map((status) =>
          db.positionsByWallet.in(`${query.wallet}|${status}`).ascending(),
        );
        const keys = mergedPage(branches, newestMarketFirst, query);
        return { positions: keys.map((key) => positionRecord(db, key)), total: positionTotal(db, query) };
      }),
    listOpenAfter: ({ wallet, after, limit }) =>
      gate(() => {
        const place = after === null ? undefined : { ...NO_POSITION, wallet, ...after };
        const open = db.positionsByWallet.in(`${wallet}|open`).ascending(place);
        const behind = only(open, (key) => place === undefined || newestMarketFirst(key, place) !== 0);
        return take(behind, limit).map((key) => positionRecord(db, key));
      }),
  };
}

/** Values for the fields that the comparison of positions, `newestMarketFirst`, does not use. */
const NO_POSITION = {
  shares: 0n,
  costBasis: 0n,
  realizedPnl: 0n,
  feesPaid: 0n,
  paidOut: false,
  updatedAt: 0,
};

function positionRecord(db: Database, key: Position): PositionRecord {
  const position = storedPosition(db, key);
  return { ...copyPosition(position), market: marketRecordOf(db, position.marketId) };
}

function positionTotal(db: Database, query: { wallet: string; status: PositionStatus }): number {
  const account = db.accounts.get(walletAccount(query.wallet));
  if (account === undefined) return 0;
  if (query.status === 'open') return account.openPositions;
  if (query.status === 'closed') return account.totalPositions - account.openPositions;
  return account.totalPositions;
}

/**
 * The stored position of an index key. The key may be an older copy of the row, so only its market, wallet
 * and side count.
 */
function storedPosition(db: Database, key: Position): Position {
  return db.positions.get(positionKey(key)) as Position;
}

export function positionRepository(db: Database, gate: Gate): PositionRepository {
  return addTo<PositionReader, PositionRepository>(positionReader(db, gate), {
    find: (keys) =>
      gate(() => {
        const distinct = new Set<string>();
        for (const { marketId, wallet } of keys) {
          distinct.add(positionKey({ marketId, wallet, side: 'YES' }));
          distinct.add(positionKey({ marketId, wallet, side: 'NO' }));
        }
        const found: Position[] = [];
        for (const key of distinct) {
          const position = db.positions.get(key);
          if (position !== undefined) found.push(copyPosition(position));
        }
        return found;
      }),
    save: (positions) =>
      gate(() => {
        for (const position of positions) db.positions.put(copyPosition(position));
      }),
    listUnpaid: (marketId, limit) =>
      gate(() =>
        take(db.unpaidByMarket.in(marketId).ascending(), limit).map((key) =>
          copyPosition(storedPosition(db, key)),
        ),
      ),
  });
}

export function tradeReader(db: Database, gate: Gate): TradeReader {
  const stored = (id: number): Trade => copyTrade(db.trades.get(id) as Trade);
  return {
    listByMarket: ({ marketId, side, offset, limit }) =>
      gate(() => {
        const ids =
          side === undefined
            ? db.tradesByMarket.in(marketId)
            : db.tradesByMarketSide.in(`${marketId}:${side}`);
        return ids.pageFromEnd(offset, limit).map(stored);
      }),
    listByWallet: ({ wallet, offset, limit }) =>
      gate(() => {
        const trades = db.tradesByWallet.in(wallet).pageFromEnd(offset, limit).map(stored);
        return {
          trades: trades.map((trade) => ({ ...trade, market: marketRecordOf(db, trade.marketId) })),
          total: db.accounts.get(walletAccount(wallet))?.activityCount ?? 0,
        };
      }),
  };
}

export function tradeRepository(db: Database, gate: Gate): TradeRepository {
  return addTo<TradeReader, TradeRepository>(tradeReader(db, gate), {
    insert: (trades) =>
      gate(() => {
        const paidOut = new Set<string>();
        for (const trade of trades) {
          if (trade.type !== 'settlement') continue;
          const key = positionKey(trade);
          if (db.positionPayouts.get(key) !== undefined || paidOut.has(key)) {
            throw new Error(`storage: position ${key} has been paid out`);
          }
          paidOut.add(key);
        }
        return trades.map((trade) => {
          const id = db.nextNumber('trade');
          db.trades.put(copyTrade({ ...trade, id }));
          return id;
        });
      }),
  });
}

export function candleReader(db: Database, gate: Gate): CandleReader {
  const stored = (series: string, time: number): Candle =>
    copyCandle(db.candles.get(`${series}:${time}`) as Candle);
  return {
    list: ({ marketId, lengthMs, from, to, limit }) =>
      gate(() => {
        const series = candleSeries({ marketId, lengthMs });
        const newestFirst = take(db.candleTimes.in(series).descending(to), limit);
        return newestFirst
          .filter((time) => time >= from)
          .reverse()
          .map((time) => stored(series, time));
      }),
    lastBefore: ({ marketId, lengthMs, time }) =>
      gate(() => {
        const series = candleSeries({ marketId, lengthMs });
        const [last] = take(db.candleTimes.in(series).descending(time), 1);
        return last === undefined ? null : stored(series, last);
      }),
    volumes: ({ marketIds, lengthMs, from }) =>
      gate(() => {
        const volumes = new Map<number, bigint>();
        for (const marketId of new Set(marketIds)) {
          const series = candleSeries({ marketId, lengthMs });
          for (const time of db.candleTimes.in(series).descending()) {
            if (time < from) break;
            volumes.set(marketId, (volumes.get(marketId) ?? 0n) + stored(series, time).volume);
          }
        }
        return volumes;
      }),
  };
}

export function candleRepository(db: Database, gate: Gate): CandleRepository {
  return addTo<CandleReader, CandleRepository>(candleReader(db, gate), {
    merge: (candles) =>
      gate(() => {
        for (const candle of candles) {
          const stored = db.candles.get(`${candleSeries(candle)}:${candle.time}`);
          db.candles.put(stored === undefined ? copyCandle(candle) : joined(stored, candle));
        }
      }),
  });
}

function joined(stored: Candle, candle: Candle): Candle {
  return {
    ...stored,
    high: Math.max(stored.high, candle.high),
    low: Math.min(stored.low, candle.low),
    close: candle.close,
    volume: stored.volume + candle.volume,
    trades: stored.trades + candle.trades,
  };
}
