/**
 * The list of markets. Three indexes on (status, category, …) serve every sort and filter. Each (status, category)
 * that the filter allows is a branch with at most `offset + limit` markets. The branches are merged and cut.
 */
import { MARKET_STATUSES, type MarketStatus } from '../../../../src/domain/types';
import type { MarketListQuery, MarketRecord, MarketSort } from '../../../../src/ports/storage';
import { choice, integer, optionalInteger, text } from '../row-columns';
import type { Dialect } from '../dialect';
import { creatorJoin, marketRecordColumns, toMarketRecord } from '../row-mappers';
import type { BindValue, Session } from '../session';

interface Counter {
  status: MarketStatus;
  category: string;
  markets: number;
  /** How many open markets have reached their resolve date. These markets are listed as resolving. */
  overdue: number;
}

interface Branch {
  status: MarketStatus;
  category: string;
  due: 'all' | 'overdue' | 'not yet';
}

/**
 * The SQL of one sort. A unary plus before a column keeps the planner from using an index by this column.
 */
interface Sort {
  column: string;
  order: string;
  /**
   * The order of the few open markets that have reached their resolve date. They are found by date and then
   * sorted.
   */
  overdueOrder: string;
  notYet: string;
  merged: string;
  final: string;
}

const SORTS: Record<MarketSort, Sort> = {
  volume_desc: {
    column: 'm.volume',
    order: 'm.volume DESC, m.id DESC',
    overdueOrder: '+m.volume DESC, +m.id DESC',
    notYet: '+m.resolve_date',
    merged: 'sort_value DESC, id DESC',
    final: 'page.sort_value DESC, page.id DESC',
  },
  created_desc: {
    column: 'm.id',
    order: 'm.id DESC',
    overdueOrder: '+m.id DESC',
    notYet: '+m.resolve_date',
    merged: 'id DESC',
    final: 'page.id DESC',
  },
  resolve_asc: {
    column: 'm.resolve_date',
    order: 'm.resolve_date, m.id',
    overdueOrder: 'm.resolve_date, m.id',
    notYet: 'm.resolve_date',
    merged: 'sort_value, id',
    final: 'page.sort_value, page.id',
  },
};

export function marketList(dialect: Dialect) {
  const counters = countersStatement(dialect);

  return async function list(
    session: Session,
    query: MarketListQuery,
  ): Promise<{ markets: MarketRecord[]; total: number }> {
    const rows = await session.query(counters, [query.now]);
    const admitted = rows.map(toCounter).filter((counter) => admits(query, counter));
    const total = admitted.reduce((sum, counter) => sum + matches(query.status, counter), 0);
    const branches = admitted.flatMap((counter) => branchesOf(query.status, counter));
    if (branches.length === 0) return { markets: [], total };
    const { sql, bind } = pageStatement(dialect, query, branches);
    return { markets: (await session.query(sql, bind)).map(toMarketRecord), total };
  };
}

/**
 * The next resolve date of an open market after an instant. At that date the market is listed as resolving,
 * although no row changes.
 */
export function nextDueMarket(dialect: Dialect): (session: Session, now: number) => Promise<number | null> {
  const markets = dialect.table('markets');
  const statement = `SELECT min(due) AS due FROM (
      SELECT (SELECT min(m.resolve_date) FROM ${markets} m WHERE m.status = 'open' AND m.category = counter.category
        AND m.resolve_date > $1) AS due
      FROM ${dialect.table('market_totals')} counter WHERE counter.status = 'open'
    ) AS next`;
  return async (session, now) => {
    const [row = { due: null }] = await session.query(statement, [now]);
    return optionalInteger(row, 'due');
  };
}

function countersStatement(dialect: Dialect): string {
  return `SELECT counter.status, counter.category, counter.markets, CASE WHEN counter.status = 'open' THEN (
      SELECT count(*) FROM ${dialect.table('markets')} m
      WHERE m.status = 'open' AND m.category = counter.category AND m.resolve_date <= $1
    ) ELSE 0 END AS overdue FROM ${dialect.table('market_totals')} counter`;
}

const toCounter = (row: Record<string, unknown>): Counter => ({
  status: choice(row, 'status', MARKET_STATUSES),
  category: text(row, 'category'),
  markets: integer(row, 'markets'),
  overdue: integer(row, 'overdue'),
});

function admits({ status, category }: MarketListQuery, counter: Counter): boolean {
  if (category !== undefined && category !== counter.category) return false;
  if (status === undefined || status === counter.status) return true;
  return status === 'resolving' && counter.status === 'open' && counter.overdue > 0;
}

function matches(status: MarketStatus | undefined, { status: stored, markets, overdue }: Counter): number {
  if (status === 'open') return markets - overdue;
  if (status === 'resolving' && stored === 'open') return overdue;
  return markets;
}

function branchesOf(status: MarketStatus | undefined, { status: stored, category }: Counter): Branch[] {
  if (status === 'open') return [{ status: stored, category, due: 'not yet' }];
  if (status === 'resolving' && stored === 'open') return [{ status: stored, category, due: 'overdue' }];
  return [{ status: stored, category, due: 'all' }];
}

function pageStatement(
  dialect: Dialect,
  { sort, limit, offset, now }: MarketListQuery,
  branches: readonly Branch[],
): { sql: string; bind: BindValue[] } {
  const bind: BindValue[] = [offset + limit, limit, offset];
  const add = (value: BindValue): string => `$${bind.push(value)}`;
  const { column, order, overdueOrder, notYet, merged, final } = SORTS[sort];
  const markets = dialect.table('markets');
  const timeOf = (due: Branch['due']): string => {
    if (due === 'all') return '';
    return due === 'overdue' ? `AND m.resolve_date <= ${add(now)}` : `AND ${notYet} > ${add(now)}`;
  };
  const selects = branches.map(({ status, category, due }, index) => {
    const inCategory = `m.status = '${status}' AND m.category = ${add(category)}`;
    return `SELECT * FROM (SELECT m.id AS id, ${column} AS sort_value FROM ${markets} m WHERE ${inCategory} ${timeOf(due)}
      ORDER BY ${due === 'overdue' ? overdueOrder : order} LIMIT $1) AS branch_${index}`;
  });
  const sql = `WITH page AS (
      SELECT id, sort_value FROM (${selects.join(' UNION ALL ')}) AS merged ORDER BY ${merged} LIMIT $2 OFFSET $3
    )
    SELECT ${marketRecordColumns(dialect)} FROM page JOIN ${markets} m ON m.id = page.id
    ${creatorJoin(dialect)} ORDER BY ${final}`;
  return { sql, bind };
}
