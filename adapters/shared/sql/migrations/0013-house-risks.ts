/**
 * What the house risks with each creator, by liquidity parameter: the number of unresolved markets, and what the
 * resolved markets have cost the treasury. For existing markets, the number comes from the table of markets, and
 * the cost from the ledger.
 */
import type { Dialect } from '../dialect';

export function houseRisks({ table, ddl }: Dialect): string[] {
  const { integer, text } = ddl;
  return [
    `CREATE TABLE ${table('house_risks')} (
      creator ${text} NOT NULL, liquidity_parameter ${integer} NOT NULL, unresolved ${integer} NOT NULL,
      lost ${integer} NOT NULL,
      PRIMARY KEY (creator, liquidity_parameter)
    ) ${ddl.clusteredTable}`,
    `INSERT INTO ${table('house_risks')} (creator, liquidity_parameter, unresolved, lost)
      SELECT m.creator, m.liquidity_parameter, sum(CASE WHEN m.status <> 'resolved' THEN 1 ELSE 0 END),
        COALESCE(sum(cost.lost), 0)
      FROM ${table('markets')} m LEFT JOIN (
        SELECT pool.account, -sum(house.amount) AS lost FROM ${table('postings')} p
        JOIN ${table('entries')} house ON house.posting_id = p.id AND house.account = 'treasury'
        JOIN ${table('entries')} pool ON pool.posting_id = p.id AND pool.account LIKE 'market:%'
        WHERE p.kind = 'resolution' GROUP BY pool.account
      ) AS cost ON cost.account = 'market:' || CAST(m.id AS TEXT)
      GROUP BY m.creator, m.liquidity_parameter`,
  ];
}
