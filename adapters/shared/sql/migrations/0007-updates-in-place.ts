/**
 * Postgres only: lets a trade change its rows in place (heap-only tuples), without a new entry in any index.
 * Postgres can do that if the page has room for the new version, and if no column changes that an index, or
 * the condition of an index, reads.
 * - Whether a position has shares becomes a column, which a trade seldom changes. The indexes used the
 *   condition `shares > 0`.
 * - Pages of `positions`, `accounts` and `candles` are filled by half only.
 */
import type { Dialect } from '../dialect';

export function updatesInPlace({ table }: Dialect): string[] {
  const positions = table('positions');
  const roomy = ['positions', 'accounts', 'candles'].map(
    (name) => `ALTER TABLE ${table(name)} SET (fillfactor = 50)`,
  );
  return [
    ...['positions_open', 'positions_closed', 'positions_unsettled'].map(
      (name) => `DROP INDEX ${table(name)}`,
    ),
    `ALTER TABLE ${positions} ADD COLUMN holding BIGINT
      GENERATED ALWAYS AS (CASE WHEN shares > 0 THEN 1 ELSE 0 END) STORED`,
    `CREATE INDEX positions_open ON ${positions} (wallet, market_id, side) WHERE holding = 1`,
    `CREATE INDEX positions_closed ON ${positions} (wallet, market_id, side) WHERE holding = 0`,
    `CREATE INDEX positions_unsettled ON ${positions} (market_id, wallet, side) WHERE holding = 1 AND settled = 0`,
    ...roomy,
  ];
}
