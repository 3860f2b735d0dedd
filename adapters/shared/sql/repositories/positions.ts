import { walletAccount } from '../../../../src/domain/ledger';
import type { Position } from '../../../../src/domain/types';
import type { PositionRepository, PositionStatus } from '../../../../src/ports/storage';
import { integer } from '../row-columns';
import type { Dialect } from '../dialect';
import {
  creatorJoin,
  marketRecordColumns,
  positionColumns,
  toMarketRecord,
  toPosition,
} from '../row-mappers';
import { encodeRows, type Session } from '../session';

const COLUMNS = {
  market_id: 'integer',
  wallet: 'text',
  side: 'text',
  shares: 'integer',
  cost_basis: 'integer',
  realized_pnl: 'integer',
  fees_paid: 'integer',
  settled: 'integer',
  updated_at: 'integer',
} as const;

/**
 * `YES` sorts after `NO`, so the descending order puts `YES` first. Reading the index backwards gives this order.
 */
const ORDER = 'market_id DESC, side DESC';

/**
 * Selects the open positions of a wallet that come after a given position. The comparison of row values follows
 * the order of the index, so the database seeks directly to the first row.
 */
function walkStatement(dialect: Dialect): string {
  return `SELECT ${positionColumns(dialect)}, ${marketRecordColumns(dialect)} FROM ${dialect.table('positions')} p
    JOIN ${dialect.table('markets')} m ON m.id = p.market_id ${creatorJoin(dialect)}
    WHERE p.wallet = $1 AND p.${dialect.holdsShares} AND (p.market_id, p.side) < ($2, $3)
    ORDER BY p.market_id DESC, p.side DESC LIMIT $4`;
}

/**
 * The start of a list without `after`. In the descending order it is before all rows, because no market has this
 * id.
 */
const FIRST_PLACE = { marketId: Number.MAX_SAFE_INTEGER, side: 'YES' };

function pageStatement(dialect: Dialect, conditions: readonly string[]): string {
  const table = dialect.table('positions');
  const branches = conditions.map(
    (condition, index) =>
      `SELECT * FROM (SELECT market_id, wallet, side FROM ${table} WHERE wallet = $1 AND ${condition}
        ORDER BY ${ORDER} LIMIT $2) AS branch_${index}`,
  );
  return `WITH page AS (
      SELECT market_id, wallet, side FROM (${branches.join(' UNION ALL ')}) AS merged
      ORDER BY ${ORDER} LIMIT $3 OFFSET $4
    )
    SELECT ${positionColumns(dialect)}, ${marketRecordColumns(dialect)} FROM page
    JOIN ${table} p ON p.market_id = page.market_id AND p.wallet = page.wallet AND p.side = page.side
    JOIN ${dialect.table('markets')} m ON m.id = p.market_id ${creatorJoin(dialect)}
    ORDER BY page.market_id DESC, page.side DESC`;
}

function statements(dialect: Dialect) {
  const table = dialect.table('positions');
  const names = Object.keys(COLUMNS);
  const replaced = ['shares', 'cost_basis', 'realized_pnl', 'fees_paid', 'settled', 'updated_at'];
  return {
    list: {
      open: pageStatement(dialect, [dialect.holdsShares]),
      closed: pageStatement(dialect, [dialect.holdsNone]),
      all: pageStatement(dialect, [dialect.holdsShares, dialect.holdsNone]),
    } satisfies Record<PositionStatus, string>,
    walk: walkStatement(dialect),
    counters: `SELECT open_positions, total_positions FROM ${dialect.table('accounts')} WHERE id = $1`,
    find: `WITH ${dialect.rows({ market_id: 'integer', wallet: 'text' })} SELECT ${positionColumns(dialect)}
      FROM (SELECT DISTINCT market_id, wallet FROM r) AS wanted
      JOIN ${table} p ON p.market_id = wanted.market_id AND p.wallet = wanted.wallet`,
    save: `WITH ${dialect.typedRows('position_row', COLUMNS)} INSERT INTO ${table} (${names.join(', ')})
      SELECT ${names.join(', ')} FROM r WHERE true ORDER BY line
      ON CONFLICT (market_id, wallet, side) DO UPDATE
      SET ${replaced.map((name) => `${name} = excluded.${name}`).join(', ')}`,
    listUnpaid: `SELECT ${positionColumns(dialect)} FROM ${table} AS p ${dialect.indexed('positions_unsettled')}
      WHERE p.market_id = $1 AND p.${dialect.holdsShares} AND p.settled = 0 ORDER BY p.wallet, p.side LIMIT $2`,
  };
}

export function positionRepository(dialect: Dialect): (session: Session) => PositionRepository {
  const sql = statements(dialect);

  return (session) => {
    async function total(wallet: string, status: PositionStatus): Promise<number> {
      const [row] = await session.query(sql.counters, [walletAccount(wallet)]);
      if (row === undefined) return 0;
      const open = integer(row, 'open_positions');
      const all = integer(row, 'total_positions');
      return { open, closed: all - open, all }[status];
    }

    return {
      async list({ wallet, status, limit, offset }) {
        const rows = await session.query(sql.list[status], [wallet, offset + limit, limit, offset]);
        const positions = rows.map((row) => ({ ...toPosition(row), market: toMarketRecord(row) }));
        return { positions, total: await total(wallet, status) };
      },
      async listOpenAfter({ wallet, after, limit }) {
        const { marketId, side } = after ?? FIRST_PLACE;
        const rows = await session.query(sql.walk, [wallet, marketId, side, limit]);
        return rows.map((row) => ({ ...toPosition(row), market: toMarketRecord(row) }));
      },
      async find(keys) {
        const rows = keys.map(({ marketId, wallet }) => [marketId, wallet]);
        return (await session.query(sql.find, [encodeRows(rows)])).map(toPosition);
      },
      async save(positions) {
        if (positions.length > 0)
          await session.query(sql.save, [dialect.encodeTypedRows(positions.map(cells))]);
      },
      async listUnpaid(marketId, limit) {
        return (await session.query(sql.listUnpaid, [marketId, limit])).map(toPosition);
      },
    };
  };
}

function cells(position: Position) {
  const { marketId, wallet, side, shares, costBasis, realizedPnl, feesPaid, paidOut, updatedAt } = position;
  return [marketId, wallet, side, shares, costBasis, realizedPnl, feesPaid, paidOut, updatedAt];
}
