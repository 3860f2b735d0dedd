/** Rows of the format 1, in which a market has no `creatorFees`. */
import type { Market, Trade } from '../../../src/domain/types';

interface NamedRow {
  key: string;
  row: unknown;
}

export const FORMAT_WITHOUT_FEES = '1';

/** The rows of markets, each with the sum of the fees of its trades. */
export function marketsWithFees(rows: readonly NamedRow[]): { key: string; row: Market }[] {
  const of = <Row>(table: string): { key: string; row: Row }[] =>
    rows.filter(({ key }) => key.startsWith(`${table}/`)).map(({ key, row }) => ({ key, row: row as Row }));
  const fees = new Map<number, bigint>();
  for (const { row } of of<Trade>('trades')) fees.set(row.marketId, (fees.get(row.marketId) ?? 0n) + row.fee);
  return of<Market>('markets').map(({ key, row }) => ({
    key,
    row: { ...row, creatorFees: fees.get(row.id) ?? 0n },
  }));
}
