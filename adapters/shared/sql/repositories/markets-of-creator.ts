/** The markets of a creator. The sums read every market of the creator, found by the index (creator, id). */
import type { CreatedMarkets, MarketReader } from '../../../../src/ports/storage';
import type { Dialect } from '../dialect';
import { integer, micros } from '../row-columns';
import { creatorJoin, marketRecordColumns, toMarketRecord } from '../row-mappers';
import type { Session } from '../session';

type Query = Parameters<MarketReader['listByCreator']>[0];

export function marketsOfCreator(dialect: Dialect) {
  const table = dialect.table('markets');
  const page = `SELECT ${marketRecordColumns(dialect)} FROM ${table} m ${creatorJoin(dialect)}
    WHERE m.creator = $1 ORDER BY m.id DESC LIMIT $2 OFFSET $3`;
  const sums = `SELECT count(*) AS markets, ${dialect.exact('COALESCE(sum(creator_fees), 0)')} AS fees
    FROM ${table} WHERE creator = $1`;

  return async (session: Session, { creator, limit, offset }: Query): Promise<CreatedMarkets> => {
    const [row] = await session.query(sums, [creator]);
    if (row === undefined) throw new Error('the markets of a creator were not counted');
    const markets = (await session.query(page, [creator, limit, offset])).map(toMarketRecord);
    return { markets, total: integer(row, 'markets'), fees: micros(row, 'fees') };
  };
}
