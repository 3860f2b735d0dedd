/**
 * Postgres only: stores the entries of a posting in its row, because a posting is written and read as a whole.
 * `entries` becomes a view with one row for each ledger entry.
 */
import type { Dialect } from '../dialect';

export function linesWithPostings({ table }: Dialect): string[] {
  const postings = table('postings');
  const entries = table('entries');
  return [
    `ALTER TABLE ${postings} ADD COLUMN accounts TEXT[] COLLATE "C" NOT NULL DEFAULT '{}',
      ADD COLUMN amounts BIGINT[] NOT NULL DEFAULT '{}'`,
    `UPDATE ${postings} AS p SET accounts = lines.accounts, amounts = lines.amounts FROM (
        SELECT posting_id, array_agg(account ORDER BY line) AS accounts, array_agg(amount ORDER BY line) AS amounts
        FROM ${entries} GROUP BY posting_id
      ) AS lines WHERE lines.posting_id = p.id`,
    `ALTER TABLE ${postings} ADD CONSTRAINT an_amount_for_each_account CHECK (cardinality(accounts) = cardinality(amounts))`,
    `DROP TABLE ${entries}`,
    `CREATE VIEW ${entries} AS SELECT p.id AS posting_id, lines.number - 1 AS line, lines.account, lines.amount
      FROM ${postings} p CROSS JOIN LATERAL unnest(p.accounts, p.amounts) WITH ORDINALITY AS lines (account, amount, number)`,
  ];
}
