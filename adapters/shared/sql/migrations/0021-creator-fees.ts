/**
 * What the creator of each market has earned, and the index for the list of a creator's markets. `fillCreatorFees`
 * counts the fees of stored trades.
 */
import type { Dialect } from '../dialect';
import { integer } from '../row-columns';
import type { Session } from '../session';

const CHUNK = 500;

export function creatorFees({ table, ddl }: Dialect): string[] {
  const markets = table('markets');
  return [
    `ALTER TABLE ${markets} ADD COLUMN creator_fees ${ddl.integer} NOT NULL DEFAULT 0 CHECK (creator_fees >= 0)`,
    `CREATE INDEX markets_by_creator ON ${markets} (creator, id)`,
  ];
}

/** Sums the fees of stored trades, in chunks of markets. A second run writes the same sums. */
export async function fillCreatorFees({ table }: Dialect, session: Session): Promise<void> {
  const next = `SELECT id FROM ${table('markets')} WHERE id > $1 ORDER BY id LIMIT ${CHUNK}`;
  const fill = `UPDATE ${table('markets')} AS m SET creator_fees = t.fees FROM (
      SELECT market_id, sum(fee) AS fees FROM ${table('trades')}
      WHERE type = 'trade' AND market_id > $1 AND market_id <= $2 GROUP BY market_id
    ) AS t WHERE m.id = t.market_id`;
  for (let after: number | null = 0; after !== null;) {
    const ids: number[] = (await session.query(next, [after])).map((row) => integer(row, 'id'));
    const last = ids.at(-1);
    if (last !== undefined) await session.query(fill, [after, last]);
    after = ids.length < CHUNK ? null : (last ?? null);
  }
}
