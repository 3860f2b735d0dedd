import { sqlRepositories } from '../../adapters/shared/sql/repositories';
import { sqliteDialect } from '../../adapters/shared/sql/sqlite-dialect';
import type { Row, Session } from '../../adapters/shared/sql/session';
import type { Transaction } from '../../src/ports/storage';
import type { RawDatabase } from './sqlite-raw';

export interface PlanNode {
  id: number;
  parent: number;
  detail: string;
}
export interface Plan {
  sql: string;
  nodes: PlanNode[];
}

export function explaining(raw: RawDatabase): { repositories: Transaction; plans: Plan[] } {
  const plans: Plan[] = [];
  const session: Session = {
    async query(sql, bind = []) {
      const named = Object.fromEntries(bind.map((value, index) => [`$${index + 1}`, value]));
      plans.push({ sql, nodes: await raw.all<PlanNode>(`EXPLAIN QUERY PLAN ${sql}`, named) });
      return raw.all<Row>(sql, named);
    },
  };
  return { repositories: sqlRepositories(sqliteDialect)(session), plans };
}

/** Tables and results that stay small, such as a page of rows or the totals. Subqueries are checked by themselves. */
const BOUNDED =
  /^SCAN (\(subquery-\d+\)|(page|found|counted|start|merged|r|wanted|counter|creator_totals|market_totals|branch_\d+|side_\w+|json_each|webhooks|CONSTANT)\b)/;

export function fullScans({ sql, nodes }: Plan): string[] {
  const byId = /^SCAN operator_log$/;
  const walked = (detail: string): boolean =>
    (detail.includes('USING INDEX') && sql.includes('LIMIT')) ||
    (byId.test(detail) && sql.includes('ORDER BY id DESC LIMIT'));
  return nodes
    .map(({ detail }) => detail)
    .filter((detail) => detail.startsWith('SCAN') && !BOUNDED.test(detail) && !walked(detail));
}

/** This sort is allowed: few open markets have passed their resolve date. */
const OVERDUE = /^SEARCH m USING (?:COVERING )?INDEX markets_by_resolve_date \(.*resolve_date<\?\)$/;

/** This sort is allowed: a search returns each market once, so the sort removes duplicates. */
const TERMS = /^SEARCH t USING PRIMARY KEY \(term>\? AND term<\?\)$/;

export function unboundedSorts({ nodes }: Plan): string[] {
  const sourceOf = (sort: PlanNode): string =>
    nodes.find(({ parent, detail }) => parent === sort.parent && /^(SCAN|SEARCH)/.test(detail))?.detail ?? '';
  return nodes
    .filter(({ detail }) => detail.startsWith('USE TEMP B-TREE'))
    .map(sourceOf)
    .filter((source) => !BOUNDED.test(source) && !OVERDUE.test(source) && !TERMS.test(source));
}
