/** Compares candles with the trades in them, and the newest candle of each series with the newest trade. */
import { candlesOfTrade, mergeCandle } from '../../../src/domain/candles';
import { poolAccount } from '../../../src/domain/ledger';
import type { Candle } from '../../../src/domain/types';
import type { AuditDifference } from '../../../src/ports/storage';
import { differ } from './audit-difference';
import { candleSeries, type Database } from './database';

export function compareCandles(db: Database): AuditDifference[] {
  const traded = tradedCandles(db);
  const keys = new Set([...[...db.candles.values()].map(bucketOf), ...traded.buckets.keys()]);
  const buckets = [...keys].flatMap((key) => compareBucket(db.candles.get(key), traded.buckets.get(key)));
  const newestKept = newestBySeries(db.candles.values());
  const series = new Set([...newestKept.keys(), ...traded.newest.keys()]);
  const ends = [...series].flatMap((key) => {
    const [kept, computed] = [newestKept.get(key), traded.newest.get(key)];
    return differ('candle', `${subjectOf(kept ?? computed)} newest`, kept?.close ?? 0, computed?.close ?? 0);
  });
  return [...buckets, ...ends];
}

const bucketOf = (candle: Candle): string => `${candleSeries(candle)}:${candle.time}`;

interface TradedCandles {
  buckets: Map<string, Candle>;
  /** For each series, the candle of the newest trade. The series closes at the price of this candle. */
  newest: Map<string, Candle>;
}

/**
 * Trades happened in the order of their ids. A row store may have loaded them in another order, so the ids are
 * compared.
 */
function tradedCandles(db: Database): TradedCandles {
  const buckets = new Map<string, Candle>();
  const newest = new Map<string, Candle>();
  const newestIds = new Map<string, number>();
  const isNewest = (key: string, id: number): boolean => id > (newestIds.get(key) ?? 0);
  for (const trade of db.trades.values()) {
    if (trade.type !== 'trade') continue;
    for (const candle of candlesOfTrade(trade, trade.yesPriceAfter)) {
      const [bucket, series] = [bucketOf(candle), candleSeries(candle)];
      const other = buckets.get(bucket);
      const isLater = isNewest(bucket, trade.id);
      if (other === undefined) buckets.set(bucket, candle);
      else buckets.set(bucket, isLater ? mergeCandle(other, candle) : mergeCandle(candle, other));
      if (isNewest(series, trade.id)) newest.set(series, candle);
      for (const key of [bucket, series]) if (isNewest(key, trade.id)) newestIds.set(key, trade.id);
    }
  }
  return { buckets, newest };
}

function newestBySeries(candles: Iterable<Candle>): Map<string, Candle> {
  const newest = new Map<string, Candle>();
  for (const candle of candles) {
    const known = newest.get(candleSeries(candle));
    if (known === undefined || known.time < candle.time) newest.set(candleSeries(candle), candle);
  }
  return newest;
}

function compareBucket(kept: Candle | undefined, traded: Candle | undefined): AuditDifference[] {
  const candle = kept ?? traded;
  const subject = `${subjectOf(candle)} ${candle?.time ?? 0}`;
  return [
    ...differ('candle', `${subject} volume`, kept?.volume ?? 0n, traded?.volume ?? 0n),
    ...differ('candle', `${subject} trades`, kept?.trades ?? 0, traded?.trades ?? 0),
    ...differ('candle', `${subject} close`, kept?.close ?? 0, traded?.close ?? 0),
  ];
}

const subjectOf = (candle: Candle | undefined): string =>
  `${poolAccount(candle?.marketId ?? 0)} candle ${candle?.lengthMs ?? 0}`;
