/** Compares candles with the trades in them, and the newest candle of each series with the newest trade. */
import { STORED_LENGTHS_MS } from '../../../../src/domain/candles';
import { poolAccountOf } from '../account-ids';
import type { Dialect } from '../dialect';
import { comparison, sideBySide, type Figure } from './audit-comparison';

const [SHORTEST_MS, ...LONGER_MS] = STORED_LENGTHS_MS;

const floor = (time: string, lengthMs: number): string => `${time} / ${lengthMs} * ${lengthMs}`;
const series = (alias: string, resolution: string): string =>
  `${poolAccountOf(`${alias}.market_id`)} || ' candle ' || CAST(${resolution}.resolution_ms AS TEXT)`;

export function candleComparison({ table }: Dialect): string {
  return comparison(
    `${tradedCandles(table('trades'))},
    ${bucketsSideBySide(table('candles'), table('trades'))},
    ${newestSideBySide(table('candles'), table('trades'))}`,
    [
      figure('volume', 'buckets'),
      figure('trades', 'buckets'),
      figure('close', 'buckets'),
      figure('newest', 'ends'),
    ],
  );
}

/** The candles that follow from the trades: `minutes` of the shortest length, `traded` of all lengths. */
function tradedCandles(trades: string): string {
  const rolledUp = LONGER_MS.map(
    (
      lengthMs,
    ) => `SELECT market_id, ${lengthMs}, ${floor('time', lengthMs)}, sum(volume), sum(trades), max(newest)
      FROM minutes GROUP BY market_id, ${floor('time', lengthMs)}`,
  );
  return `minutes AS MATERIALIZED (
      SELECT market_id, ${floor('created_at', SHORTEST_MS)} AS time, sum(notional) AS volume, count(*) AS trades,
        max(id) AS newest FROM ${trades} WHERE type = 'trade' GROUP BY market_id, ${floor('created_at', SHORTEST_MS)}
    ),
    traded AS (
      SELECT market_id, ${SHORTEST_MS} AS resolution_ms, time, volume, trades, newest FROM minutes
      UNION ALL ${rolledUp.join(' UNION ALL ')}
    )`;
}

function bucketsSideBySide(candles: string, trades: string): string {
  const bucket = (alias: string): string => `${series(alias, alias)} || ' ' || CAST(${alias}.time AS TEXT)`;
  const kept = {
    from: `${candles} c`,
    subject: bucket('c'),
    columns: { volume: 'c.volume', trades: 'c.trades', close: 'c.close' },
  };
  const traded = {
    from: `traded b JOIN ${trades} t ON t.id = b.newest`,
    subject: bucket('b'),
    columns: { volume: 'b.volume', trades: 'b.trades', close: 't.yes_price_after' },
  };
  return sideBySide('buckets', kept, traded);
}

/** The newest candle of each series beside the newest trade of the market. */
function newestSideBySide(candles: string, trades: string): string {
  const lengths = STORED_LENGTHS_MS.map((lengthMs) => `SELECT ${lengthMs} AS resolution_ms`);
  const kept = {
    from: `(SELECT market_id, resolution_ms, max(time) AS time FROM ${candles} GROUP BY market_id, resolution_ms) AS n
      JOIN ${candles} c ON c.market_id = n.market_id AND c.resolution_ms = n.resolution_ms AND c.time = n.time`,
    subject: series('c', 'c'),
    columns: { newest: 'c.close' },
  };
  const traded = {
    from: `(SELECT market_id, max(newest) AS newest FROM minutes GROUP BY market_id) AS n
      JOIN ${trades} t ON t.id = n.newest CROSS JOIN (${lengths.join(' UNION ALL ')}) AS l`,
    subject: series('n', 'l'),
    columns: { newest: 't.yes_price_after' },
  };
  return sideBySide('ends', kept, traded);
}

function figure(name: string, source: string): Figure {
  return {
    kind: 'candle',
    subject: `subject || ' ${name}'`,
    stored: `stored_${name}`,
    computed: `computed_${name}`,
    source,
  };
}
