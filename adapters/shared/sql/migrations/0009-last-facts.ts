/**
 * The time of the newest fact of each market. For existing markets it is the latest of their creation, newest
 * trade, newest candle and resolution.
 */
import type { Dialect } from '../dialect';

export function lastFacts({ table, ddl }: Dialect): string[] {
  const markets = table('markets');
  const newestTrade = (side: string): string =>
    `(SELECT t.created_at FROM ${table('trades')} t WHERE t.market_id = m.id AND t.side = '${side}' AND t.type = 'trade'
      ORDER BY t.id DESC LIMIT 1)`;
  const newestCandle = `(SELECT max(c.time) FROM ${table('candles')} c WHERE c.market_id = m.id AND c.resolution_ms = 60000)`;
  const times = ['m.created_at', 'm.resolved_at', newestTrade('YES'), newestTrade('NO'), newestCandle];
  const facts = times.map((time) => `SELECT ${time} AS time`).join(' UNION ALL ');
  return [
    // The column has a default, because instances of the earlier version may still insert markets without it.
    `ALTER TABLE ${markets} ADD COLUMN last_fact_at ${ddl.integer} NOT NULL DEFAULT 0`,
    `UPDATE ${markets} AS m SET last_fact_at = (SELECT max(time) FROM (${facts}) AS facts)`,
  ];
}
