import { MARKET_STATUSES } from '../../../../src/domain/types';
import type { HouseFindings } from '../../../../src/ports/storage';
import { isWallet } from '../account-ids';
import { choice, integer, micros, text } from '../row-columns';
import type { Dialect } from '../dialect';
import type { Session } from '../session';

export function houseReader({ table, exact }: Dialect): (session: Session) => Promise<HouseFindings> {
  const sum = (column: string, from: string): string =>
    exact(`COALESCE((SELECT sum(${column}) FROM ${from}), 0)`);
  const wallets = `${table('accounts')} WHERE ${isWallet('id')}`;
  const unresolved = `status <> 'resolved'`;
  const sums = `SELECT ${sum('balance', wallets)} AS wallets, ${sum('reserved', wallets)} AS reserved,
    ${sum('pool', table('markets'))} AS pools,
    ${sum('exposure', `${table('market_totals')} WHERE ${unresolved}`)} AS exposure`;
  const counts = `SELECT m.status, m.category, ${exact('m.liquidity_parameter')} AS liquidity_parameter, count(*) AS markets
    FROM ${table('markets')} m GROUP BY m.status, m.category, m.liquidity_parameter`;

  return async (session) => {
    const [row] = await session.query(sums);
    if (row === undefined) throw new Error('the audit found nothing to add up');
    const counted = await session.query(counts);
    return {
      wallets: micros(row, 'wallets'),
      reserved: micros(row, 'reserved'),
      pools: micros(row, 'pools'),
      exposure: micros(row, 'exposure'),
      counted: counted.map((group) => ({
        status: choice(group, 'status', MARKET_STATUSES),
        category: text(group, 'category'),
        liquidityParameter: micros(group, 'liquidity_parameter'),
        markets: integer(group, 'markets'),
      })),
    };
  };
}
