/** Sums over markets: the totals of each status and category, and the risk of each creator's markets. */
import { MARKET_STATUSES } from '../../../../src/domain/types';
import type { MarketRepository, MarketTotal } from '../../../../src/ports/storage';
import type { Dialect } from '../dialect';
import { choice, integer, micros, text } from '../row-columns';
import { encodeRows, type Cell, type Session } from '../session';

type MarketTotals = Pick<MarketRepository, 'totals' | 'lockTotals' | 'addTotals' | 'risksOf' | 'addRisk'>;

function statements(dialect: Dialect) {
  const totals = dialect.table('market_totals');
  const changedTotals = dialect.rows({
    status: 'text',
    category: 'text',
    markets: 'integer',
    exposure: 'integer',
  });
  const risks = dialect.table('house_risks');
  const changedRisk = dialect.rows({
    creator: 'text',
    liquidity_parameter: 'integer',
    unresolved: 'integer',
    lost: 'integer',
  });
  return {
    totals: `SELECT status, category, markets, ${dialect.exact('exposure')} AS exposure FROM ${totals}`,
    risksOf: `SELECT creator, ${dialect.exact('liquidity_parameter')} AS b, unresolved, ${dialect.exact('lost')} AS lost
      FROM ${risks} WHERE creator = $1 ORDER BY liquidity_parameter`,
    addRisk: `WITH ${changedRisk} INSERT INTO ${risks} AS t (creator, liquidity_parameter, unresolved, lost)
      SELECT creator, liquidity_parameter, unresolved, lost FROM r WHERE true
      ON CONFLICT (creator, liquidity_parameter) DO UPDATE
      SET unresolved = t.unresolved + excluded.unresolved, lost = t.lost + excluded.lost`,
    addTotals: `WITH ${changedTotals} INSERT INTO ${totals} AS t (status, category, markets, exposure)
      SELECT status, category, markets, exposure FROM r WHERE true ORDER BY line
      ON CONFLICT (status, category) DO UPDATE
      SET markets = t.markets + excluded.markets, exposure = t.exposure + excluded.exposure`,
  };
}

export function marketTotals(dialect: Dialect): (session: Session) => MarketTotals {
  const sql = statements(dialect);
  const lockTotals = dialect.lockTable('market_totals');

  return (session) => {
    async function totals(): Promise<MarketTotal[]> {
      return (await session.query(sql.totals)).map((row) => ({
        status: choice(row, 'status', MARKET_STATUSES),
        category: text(row, 'category'),
        markets: integer(row, 'markets'),
        exposure: micros(row, 'exposure'),
      }));
    }

    return {
      totals,
      async risksOf(creator) {
        return (await session.query(sql.risksOf, [creator])).map((row) => ({
          creator: text(row, 'creator'),
          liquidityParameter: micros(row, 'b'),
          unresolved: integer(row, 'unresolved'),
          lost: micros(row, 'lost'),
        }));
      },
      async addRisk({ creator, liquidityParameter, unresolved, lost }) {
        await session.query(sql.addRisk, [encodeRows([[creator, liquidityParameter, unresolved, lost]])]);
      },
      async lockTotals() {
        if (lockTotals !== null) await session.query(lockTotals);
        return totals();
      },
      async addTotals(changes) {
        await session.query(sql.addTotals, [encodeRows(mergeTotals(changes).map(totalCells))]);
      },
    };
  };
}

const totalCells = ({ status, category, markets, exposure }: MarketTotal): Cell[] => [
  status,
  category,
  markets,
  exposure,
];

/**
 * Merges the changes into one for each row, because a statement may change a row only once. The changes are
 * sorted, so that transactions do not deadlock.
 */
function mergeTotals(changes: readonly MarketTotal[]): MarketTotal[] {
  const merged = new Map<string, MarketTotal>();
  for (const change of changes) {
    const key = `${change.status} ${change.category}`;
    const before = merged.get(key);
    merged.set(
      key,
      before === undefined
        ? change
        : {
            ...change,
            markets: before.markets + change.markets,
            exposure: before.exposure + change.exposure,
          },
    );
  }
  return [...merged.keys()].sort().flatMap((key) => merged.get(key) ?? []);
}
