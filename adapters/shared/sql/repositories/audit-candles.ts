/**
 * Compares candles with the trades that they are made of, and the newest candle of each series with the
 * newest trade.
 */
import { STORED_RESOLUTIONS_MS } from '../../../../src/domain/candles';
import type { Dialect } from '../dialect';
import { comparison, sideBySide, type Figure } from './audit-comparison';

const [SHORTEST_MS, ...LONGER_MS] = STORED_RESOLUTIONS_MS;

export function candleComparison({ table }: Dialect): string {
  const floor = (time: string, lengthMs: number): string => `${time} / ${lengthMs} * ${lengthMs}`;
  const rolledUp = LONGER_MS.map(
    (
      lengthMs,
    ) => `SELECT market_id, ${lengthMs}, ${floor('time', lengthMs)}, sum(volume), sum(trades), max(newest)
      FROM minutes GROUP BY market_id, ${floor('time', lengthMs)}`,
  );
  const lengths = STORED_RESOLUTIONS_MS.map((lengthMs) => `SELECT ${lengthMs} AS resolution_ms`);
  const series = (alias: string, resolution: string): string =>
    `'market:' || CAST(${alias}.market_id AS TEXT) || ' candle ' || CAST(${resolution}.resolution_ms AS TEXT)`;
  const bucket = (alias: string): string => `${series(alias, alias)} || ' ' || CAST(${alias}.time AS TEXT)`;

  const kept = {
    from: `${table('candles')} c`,
    subject: bucket('c'),
    columns: { volume: 'c.volume', trades: 'c.trades', close: 'c.close' },
  };
  const traded = {
    from: `traded b JOIN ${table('trades')} t ON t.id = b.newest`,
    subject: bucket('b'),
    columns: { volume: 'b.volume', trades: 'b.trades', close: 't.yes_price_after' },
  };
  const newestKept = {
    from: `(SELECT market_id, resolution_ms, max(time) AS time FROM ${table('candles')} GROUP BY market_id, resolution_ms) AS n
      JOIN ${table('candles')} c ON c.market_id = n.market_id AND c.resolution_ms = n.resolution_ms AND c.time = n.time`,
    subject: series('c', 'c'),
    columns: { newest: 'c.close' },
  };
  const newestTraded = {
    from: `(SELECT market_id, max(newest) AS newest FROM minutes GROUP BY market_id) AS n
      JOIN ${table('trades')} t ON t.id = n.newest CROSS JOIN (${lengths.join(' UNION ALL ')}) AS l`,
    subject: series('n', 'l'),
    columns: { newest: 't.yes_price_after' },
  };
  const figure = (name: string, source: string): Figure => ({
    kind: 'candle',
    subject: `subject || ' ${name}'`,
    stored: `stored_${name}`,
    computed: `computed_${name}`,
    source,
  });
  return comparison(
    `minutes AS MATERIALIZED (
      SELECT market_id, ${floor('created_at', SHORTEST_MS)} AS time, sum(notional) AS volume, count(*) AS trades,
        max(id) AS newest FROM ${table('trades')} WHERE type = 'trade' GROUP BY market_id, ${floor('created_at', SHORTEST_MS)}
    ),
    traded AS (
      SELECT market_id, ${SHORTEST_MS} AS resolution_ms, time, volume, trades, newest FROM minutes
      UNION ALL ${rolledUp.join(' UNION ALL ')}
    ),
    ${sideBySide('buckets', kept, traded)},
    ${sideBySide('ends', newestKept, newestTraded)}`,
    [
      figure('volume', 'buckets'),
      figure('trades', 'buckets'),
      figure('close', 'buckets'),
      figure('newest', 'ends'),
    ],
  );
}
