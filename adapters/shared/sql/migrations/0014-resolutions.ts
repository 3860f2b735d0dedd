/**
 * Rounds of the oracle. A market gets a row in `resolutions` when it is closed. A market that an operator resolves
 * while it is open has no row. `history`, `proposal`, `votes` and `verdict` are JSON.
 * `awaits_oracle` marks the markets that wait for a round.
 *
 * Older markets did not store who decided them. No oracle decides VOID, and an operator's decision has the
 * consensus 1. So the migration counts VOID, and every outcome with the consensus 1, as an operator's decision.
 */
import type { Dialect } from '../dialect';

const NO_ROUNDS = '{"rounds":0,"disagreements":0,"fruitless":0,"hasSplit":false,"unanimous":null}';

export function resolutionRounds({ table, ddl }: Dialect): string[] {
  const { integer, text } = ddl;
  const markets = table('markets');
  return [
    `ALTER TABLE ${markets} ADD COLUMN resolution_method ${text}`,
    `UPDATE ${markets} SET resolution_method = CASE WHEN oracle_consensus = 1 OR outcome = 'VOID' THEN 'operator'
      ELSE 'oracle' END WHERE outcome IS NOT NULL`,
    `ALTER TABLE ${markets} ADD COLUMN awaits_oracle ${integer} NOT NULL DEFAULT 0`,
    `UPDATE ${markets} SET awaits_oracle = 1 WHERE status = 'resolving'`,
    `DROP INDEX ${table('markets_due')}`,
    `CREATE INDEX markets_due ON ${markets} (awaits_oracle, due_at, id) WHERE due_at IS NOT NULL`,
    `CREATE TABLE ${table('resolutions')} (
      market_id ${integer} NOT NULL PRIMARY KEY,
      status ${text} NOT NULL CHECK (status IN ('waiting', 'stalled', 'proposed', 'escalated', 'done')),
      history ${text} NOT NULL, last_outcome ${text}, proposal ${text}, next_attempt_at ${integer},
      updated_at ${integer} NOT NULL
    ) ${ddl.clusteredTable}`,
    `CREATE INDEX resolutions_by_status ON ${table('resolutions')} (status, market_id) WHERE status <> 'done'`,
    `CREATE TABLE ${table('resolution_rounds')} (
      market_id ${integer} NOT NULL, round ${integer} NOT NULL,
      status ${text} NOT NULL CHECK (status IN ('asking', 'voted', 'followed')), lease_token ${integer} NOT NULL,
      started_at ${integer} NOT NULL, ended_at ${integer}, votes ${text} NOT NULL, finding ${text}, verdict ${text},
      calls ${integer} NOT NULL, cost ${integer} NOT NULL,
      PRIMARY KEY (market_id, round)
    ) ${ddl.heapTable}`,
    `CREATE INDEX resolution_rounds_by_start ON ${table('resolution_rounds')} (started_at, calls, cost)`,
    `INSERT INTO ${table('resolutions')} (market_id, status, history, next_attempt_at, updated_at)
      SELECT id, 'waiting', '${NO_ROUNDS}', due_at, last_fact_at FROM ${markets} WHERE status = 'resolving'`,
  ];
}
