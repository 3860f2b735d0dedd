import { searchTerms } from '../../../../src/domain/search-terms';
import type { Market } from '../../../../src/domain/types';
import type { MarketRepository } from '../../../../src/ports/storage';
import { integer } from '../row-columns';
import type { ColumnType, Dialect } from '../dialect';
import { creatorJoin, marketColumns, marketRecordColumns, toMarket, toMarketRecord } from '../row-mappers';
import { encodeIds, encodeRows, encodeTexts, type Cell, type Session } from '../session';
import { marketsOfCreator } from './markets-of-creator';
import { marketList, nextDueMarket } from './market-list';
import { encodeTerms, marketSearch, termsStatement } from './market-search';
import { marketTotals } from './market-totals';

/**
 * The columns that trades change. A trade writes only these, so that it does not touch the indexes of other
 * columns.
 */
const BOOK = {
  shares_yes: 'integer',
  shares_no: 'integer',
  pool: 'integer',
  volume: 'integer',
  creator_fees: 'integer',
  trade_count: 'integer',
  market_seq: 'integer',
  last_fact_at: 'integer',
} as const satisfies Record<string, ColumnType>;

/** The other columns that can change. No trade changes them. */
const LIFE = {
  status: 'text',
  resolve_date: 'integer',
  outcome: 'text',
  resolved_at: 'integer',
  oracle_consensus: 'real',
  resolution_method: 'text',
  resolution_note: 'text',
  due_at: 'integer',
  awaits_oracle: 'integer',
  lease_token: 'integer',
  oracle_attempts: 'integer',
} as const satisfies Record<string, ColumnType>;

const BIRTH = {
  id: 'integer',
  slug: 'text',
  question: 'text',
  description: 'text',
  resolution_criteria: 'text',
  category: 'text',
  creator: 'text',
  created_at: 'integer',
  liquidity_parameter: 'integer',
} as const satisfies Record<string, ColumnType>;

const bookCells = (market: Market): Cell[] => [
  market.sharesYes,
  market.sharesNo,
  market.pool,
  market.volume,
  market.creatorFees,
  market.tradeCount,
  market.marketSeq,
  market.lastFactAt,
];

const lifeCells = ({
  status,
  resolveDate,
  resolution,
  dueAt,
  awaitsOracle,
  leaseToken,
  oracleAttempts,
}: Market): Cell[] => [
  status,
  resolveDate,
  resolution?.outcome ?? null,
  resolution?.resolvedAt ?? null,
  resolution?.oracleConsensus ?? null,
  resolution?.method ?? null,
  resolution?.note ?? null,
  dueAt,
  awaitsOracle,
  leaseToken,
  oracleAttempts,
];

const birthCells = (market: Market): Cell[] => [
  market.id,
  market.slug,
  market.question,
  market.description,
  market.resolutionCriteria,
  market.category,
  market.creator,
  market.createdAt,
  market.liquidityParameter,
];

const names = (columns: Record<string, ColumnType>): string => Object.keys(columns).join(', ');
const assignments = (columns: Record<string, ColumnType>): string =>
  Object.keys(columns)
    .map((name) => `${name} = r.${name}`)
    .join(', ');

function statements(dialect: Dialect) {
  const table = dialect.table('markets');
  const record = `SELECT ${marketRecordColumns(dialect)} FROM ${table} m ${creatorJoin(dialect)}`;
  const own = `SELECT ${marketColumns(dialect)} FROM ${table} m`;
  const whole = { ...BIRTH, ...BOOK, ...LIFE };
  const update = (columns: Record<string, ColumnType>): string =>
    `WITH ${dialect.rows({ market_id: 'integer', ...columns })} UPDATE ${table} AS m SET ${assignments(columns)}
      FROM r WHERE m.id = r.market_id RETURNING id`;
  return {
    byIds: `${record} WHERE ${dialect.among('m.id', 'integer')}`,
    bySlugs: `${record} WHERE ${dialect.among('m.slug', 'text')}`,
    insert: `WITH ${dialect.rows(whole)} INSERT INTO ${table} (${names(whole)}) SELECT ${names(whole)} FROM r WHERE true
      ON CONFLICT (slug) DO NOTHING RETURNING id`,
    insertTerms: termsStatement(dialect),
    lock: `${own} WHERE ${dialect.among('m.id', 'integer')} ORDER BY m.id ${dialect.forUpdate}`,
    updateBook: update(BOOK),
    updateWhole: update({ ...BOOK, ...LIFE }),
    due: `${own} WHERE m.awaits_oracle = $3 AND m.due_at <= $1 ORDER BY m.due_at, m.id LIMIT $2 ${dialect.forUpdateSkipLocked}`,
    lease: `UPDATE ${table} SET due_at = $2, lease_token = lease_token + 1 WHERE ${dialect.among('id', 'integer')}`,
  };
}

/** The repository of the port, and `nextDue` for the cache of lists (unchanged-lists.ts). */
export interface SqlMarketRepository extends MarketRepository {
  nextDue(now: number): Promise<number | null>;
}

export function marketRepository(dialect: Dialect): (session: Session) => SqlMarketRepository {
  const sql = statements(dialect);
  const list = marketList(dialect);
  const nextDue = nextDueMarket(dialect);
  const search = marketSearch(dialect);
  const created = marketsOfCreator(dialect);
  const totals = marketTotals(dialect);

  return (session) => {
    const lives = lifeMemory();

    return {
      async findByIds(ids) {
        return (await session.query(sql.byIds, [encodeIds(ids)])).map(toMarketRecord);
      },
      async findBySlugs(slugs) {
        return (await session.query(sql.bySlugs, [encodeTexts(slugs)])).map(toMarketRecord);
      },
      list: ({ words, ...query }) =>
        words === undefined ? list(session, query) : search(session, { ...query, words }),
      nextDue: (now) => nextDue(session, now),
      listByCreator: (query) => created(session, query),
      ...totals(session),
      async nextId() {
        const [row] = await session.query(dialect.nextMarketId);
        if (row === undefined) throw new Error('the counter of market ids is missing');
        return integer(row, 'id');
      },
      async insert(market) {
        const row = [...birthCells(market), ...bookCells(market), ...lifeCells(market)];
        if ((await session.query(sql.insert, [encodeRows([row])])).length === 0) return false;
        const { id, question } = market;
        await session.query(sql.insertTerms, [encodeTerms([{ id, terms: searchTerms(question) }])]);
        return true;
      },
      async lock(ids) {
        return (await session.query(sql.lock, [encodeIds(ids)])).map(toMarket).map(lives.remember);
      },
      async update(markets) {
        const traded: Market[] = [];
        const withChangedLife: Market[] = [];
        for (const market of markets) (lives.isUnchanged(market) ? traded : withChangedLife).push(market);
        await updateAll(session, sql.updateBook, traded, bookCells);
        await updateAll(session, sql.updateWhole, withChangedLife, (market) => [
          ...bookCells(market),
          ...lifeCells(market),
        ]);
        withChangedLife.forEach(lives.remember);
      },
      async leaseDue({ awaitsOracle, now, leaseUntil, limit }) {
        const due = (await session.query(sql.due, [now, limit, awaitsOracle ? 1 : 0])).map(toMarket);
        if (due.length === 0) return [];
        await session.query(sql.lease, [encodeIds(due.map(({ id }) => id)), leaseUntil]);
        return due.map((market) =>
          lives.remember({ ...market, dueAt: leaseUntil, leaseToken: market.leaseToken + 1 }),
        );
      },
    };
  };
}

/**
 * Remembers the `LIFE` columns of each market as one transaction has read them. If these columns are unchanged,
 * only the `BOOK` columns are written.
 */
function lifeMemory() {
  const lives = new Map<number, readonly Cell[]>();
  return {
    remember(market: Market): Market {
      lives.set(market.id, lifeCells(market));
      return market;
    },
    isUnchanged(market: Market): boolean {
      const before = lives.get(market.id);
      return before !== undefined && lifeCells(market).every((cell, index) => cell === before[index]);
    },
  };
}

async function updateAll(
  session: Session,
  statement: string,
  markets: readonly Market[],
  cells: (market: Market) => Cell[],
): Promise<void> {
  if (markets.length === 0) return;
  const rows = markets.map((market) => [market.id, ...cells(market)]);
  const updated = await session.query(statement, [encodeRows(rows)]);
  if (updated.length < markets.length) throw new Error('a market to update does not exist');
}
