/**
 * Postgres only: types for the rows that trades send, which Postgres reads faster than JSON. A type is never
 * changed, because instances of an older version still use it: other columns need a new type.
 */
import type { Dialect } from '../dialect';

export function rowTypes({ table }: Dialect): string[] {
  return [
    `CREATE TYPE ${table('trade_row')} AS (
      type TEXT, market_id BIGINT, wallet TEXT, side TEXT, action TEXT, shares BIGINT, notional BIGINT, fee BIGINT,
      total_cost BIGINT, realized_pnl BIGINT, yes_price_after BIGINT, created_at BIGINT
    )`,
    `CREATE TYPE ${table('posting_row')} AS (
      reference TEXT, kind TEXT, created_at BIGINT, accounts TEXT[], amounts BIGINT[]
    )`,
    `CREATE TYPE ${table('position_row')} AS (
      market_id BIGINT, wallet TEXT, side TEXT, shares BIGINT, cost_basis BIGINT, realized_pnl BIGINT,
      fees_paid BIGINT, settled BIGINT, updated_at BIGINT
    )`,
    `CREATE TYPE ${table('account_change')} AS (
      account TEXT, balance BIGINT, reserved BIGINT, activity_count BIGINT, open_positions BIGINT,
      total_positions BIGINT, now BIGINT
    )`,
    `CREATE TYPE ${table('candle_row')} AS (
      market_id BIGINT, resolution_ms BIGINT, time BIGINT, open BIGINT, high BIGINT, low BIGINT, close BIGINT,
      volume BIGINT, trades BIGINT
    )`,
  ];
}
