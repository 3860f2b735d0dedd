import type { Candle } from '../../../../src/domain/types';
import type { CandleRepository } from '../../../../src/ports/storage';
import { integer, micros } from '../row-columns';
import type { Dialect } from '../dialect';
import { candleColumns, toCandle } from '../row-mappers';
import { encodeIds, type Session } from '../session';

const COLUMNS = {
  market_id: 'integer',
  resolution_ms: 'integer',
  time: 'integer',
  open: 'integer',
  high: 'integer',
  low: 'integer',
  close: 'integer',
  volume: 'integer',
  trades: 'integer',
} as const;

function statements(dialect: Dialect) {
  const table = dialect.table('candles');
  const names = Object.keys(COLUMNS).join(', ');
  const newest = `SELECT ${candleColumns(dialect)} FROM ${table} WHERE market_id = $1 AND resolution_ms = $2 AND time < $3`;
  return {
    list: `${newest} AND time >= $4 ORDER BY time DESC LIMIT $5`,
    lastBefore: `${newest} ORDER BY time DESC LIMIT 1`,
    volumes: `SELECT market_id, ${dialect.exact('SUM(volume)')} AS volume FROM ${table}
      WHERE ${dialect.among('market_id', 'integer')} AND resolution_ms = $2 AND time >= $3 GROUP BY market_id`,
    merge: `WITH ${dialect.typedRows('candle_row', COLUMNS)} INSERT INTO ${table} AS c (${names})
      SELECT ${names} FROM r WHERE true ORDER BY line
      ON CONFLICT (market_id, resolution_ms, time) DO UPDATE SET
        high = CASE WHEN excluded.high > c.high THEN excluded.high ELSE c.high END,
        low = CASE WHEN excluded.low < c.low THEN excluded.low ELSE c.low END,
        close = excluded.close, volume = c.volume + excluded.volume, trades = c.trades + excluded.trades`,
  };
}

export function candleRepository(dialect: Dialect): (session: Session) => CandleRepository {
  const sql = statements(dialect);

  return (session) => ({
    async list({ marketId, lengthMs, from, to, limit }) {
      const rows = await session.query(sql.list, [marketId, lengthMs, to, from, limit]);
      return rows.map(toCandle).reverse();
    },
    async lastBefore({ marketId, lengthMs, time }) {
      const [row] = await session.query(sql.lastBefore, [marketId, lengthMs, time]);
      return row === undefined ? null : toCandle(row);
    },
    async volumes({ marketIds, lengthMs, from }) {
      if (marketIds.length === 0) return new Map();
      const rows = await session.query(sql.volumes, [encodeIds(marketIds), lengthMs, from]);
      return new Map(rows.map((row) => [integer(row, 'market_id'), micros(row, 'volume')]));
    },
    async merge(candles) {
      if (candles.length > 0) await session.query(sql.merge, [dialect.encodeTypedRows(candles.map(cells))]);
    },
  });
}

function cells(candle: Candle) {
  const { marketId, lengthMs, time, open, high, low, close, volume, trades } = candle;
  return [marketId, lengthMs, time, open, high, low, close, volume, trades];
}
