import { walletAccount } from '../../../../src/domain/ledger';
import type { NewTrade } from '../../../../src/domain/types';
import type { TradeRepository } from '../../../../src/ports/storage';
import { integer } from '../row-columns';
import type { Dialect } from '../dialect';
import { creatorJoin, marketRecordColumns, toMarketRecord, toTrade, tradeColumns } from '../row-mappers';
import type { Session } from '../session';

const COLUMNS = {
  type: 'text',
  market_id: 'integer',
  wallet: 'text',
  side: 'text',
  action: 'text',
  shares: 'integer',
  notional: 'integer',
  fee: 'integer',
  total_cost: 'integer',
  realized_pnl: 'integer',
  yes_price_after: 'integer',
  created_at: 'integer',
} as const;

function statements(dialect: Dialect) {
  const table = dialect.table('trades');
  const names = Object.keys(COLUMNS).join(', ');
  // An index by (market, side) serves the list with and without a side. Without a side, the two sides are
  // merged.
  const branch = (side: string): string =>
    `SELECT * FROM (SELECT id FROM ${table} WHERE market_id = $1 AND side = ${side} AND type = 'trade'
      ORDER BY id DESC LIMIT $2) AS side_${side.replace(/\W/g, '')}`;
  const marketPage = (branches: readonly string[]): string =>
    `WITH page AS (
      SELECT id FROM (${branches.join(' UNION ALL ')}) AS merged ORDER BY id DESC LIMIT $3 OFFSET $4
    ) SELECT ${tradeColumns(dialect)} FROM page JOIN ${table} t ON t.id = page.id ORDER BY page.id DESC`;
  return {
    byMarket: marketPage([branch(`'YES'`), branch(`'NO'`)]),
    byMarketAndSide: marketPage([branch('$5')]),
    byWallet: `WITH page AS (SELECT id FROM ${table} WHERE wallet = $1 ORDER BY id DESC LIMIT $2 OFFSET $3)
      SELECT ${tradeColumns(dialect)}, ${marketRecordColumns(dialect)} FROM page
      JOIN ${table} t ON t.id = page.id JOIN ${dialect.table('markets')} m ON m.id = t.market_id
      ${creatorJoin(dialect)} ORDER BY page.id DESC`,
    activity: `SELECT activity_count FROM ${dialect.table('accounts')} WHERE id = $1`,
    insert: `WITH ${dialect.typedRows('trade_row', COLUMNS)} INSERT INTO ${table} (${names}) SELECT ${names} FROM r ORDER BY line
      RETURNING id`,
  };
}

export function tradeRepository(dialect: Dialect): (session: Session) => TradeRepository {
  const sql = statements(dialect);

  return (session) => ({
    async listByMarket({ marketId, side, limit, offset }) {
      const page = [marketId, offset + limit, limit, offset];
      const rows =
        side === undefined
          ? await session.query(sql.byMarket, page)
          : await session.query(sql.byMarketAndSide, [...page, side]);
      return rows.map(toTrade);
    },
    async listByWallet({ wallet, limit, offset }) {
      const rows = await session.query(sql.byWallet, [wallet, limit, offset]);
      const [account] = await session.query(sql.activity, [walletAccount(wallet)]);
      return {
        trades: rows.map((row) => ({ ...toTrade(row), market: toMarketRecord(row) })),
        total: account === undefined ? 0 : integer(account, 'activity_count'),
      };
    },
    async insert(trades) {
      if (trades.length === 0) return [];
      const rows = await session.query(sql.insert, [dialect.encodeTypedRows(trades.map(cells))]);
      // Ids rise in the order of insertion, which is the given order. RETURNING does not promise this order, so
      // the ids are sorted.
      return rows.map((row) => integer(row, 'id')).sort((a, b) => a - b);
    },
  });
}

function cells(trade: NewTrade) {
  const { type, marketId, wallet, side, action, shares, notional, fee, totalCost, realizedPnl } = trade;
  const { yesPriceAfter, createdAt } = trade;
  return [
    type,
    marketId,
    wallet,
    side,
    action,
    shares,
    notional,
    fee,
    totalCost,
    realizedPnl,
    yesPriceAfter,
    createdAt,
  ];
}
