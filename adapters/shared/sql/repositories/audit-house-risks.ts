/** Compares the stored risks of the house with the markets and the resolution postings. */
import { isPool, marketIdOf } from '../account-ids';
import type { Dialect } from '../dialect';
import { comparison, sideBySide } from './audit-comparison';

export function houseRiskComparison({ table }: Dialect): string {
  const subject = `'house:' || creator || ':' || CAST(liquidity_parameter AS TEXT)`;
  const columns = { unresolved: 'unresolved', lost: 'lost' };
  const stored = { from: table('house_risks'), subject, columns };
  const unresolved = `SELECT creator, liquidity_parameter, CASE WHEN status <> 'resolved' THEN 1 ELSE 0 END AS unresolved,
      0 AS lost FROM ${table('markets')}`;
  // The market is looked up by its id, so that the database uses the primary key.
  const lost = `SELECT m.creator, m.liquidity_parameter, 0, -house.amount FROM ${table('postings')} p
      JOIN ${table('entries')} house ON house.posting_id = p.id AND house.account = 'treasury'
      JOIN ${table('entries')} pool ON pool.posting_id = p.id AND ${isPool('pool.account')}
      JOIN ${table('markets')} m ON m.id = ${marketIdOf('pool.account')}
      WHERE p.kind = 'resolution'`;
  const recomputed = { from: `(${unresolved} UNION ALL ${lost}) AS recomputed`, subject, columns };
  return comparison(
    sideBySide('joined', stored, recomputed),
    (['unresolved', 'lost'] as const).map((name) => ({
      kind: 'house',
      subject: `subject || ' ${name}'`,
      stored: `stored_${name}`,
      computed: `computed_${name}`,
      source: 'joined',
    })),
  );
}
