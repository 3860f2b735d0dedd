import { marketOfPool, poolAccount, walletAccount, walletOfAccount } from '../../../src/domain/ledger';
import type { AccountId, Market, Position } from '../../../src/domain/types';
import { isOpen } from '../../../src/domain/withdrawals';
import { MOST_DIFFERENCES, type AuditDifference, type AuditReader } from '../../../src/ports/storage/audit';
import { compareBorder, compareOwners, type Crossing } from './audit-border';
import { compareCandles } from './audit-candles';
import { differ } from './audit-difference';
import { compareHouseRisks } from './audit-house-risks';
import { addUpHouse } from './house';
import { positionKey, type Database, type Gate } from './database';

export function auditReader(db: Database, gate: Gate): AuditReader {
  return {
    house: () => gate(() => addUpHouse(db)),
    run: () =>
      gate(() => {
        const ledger = recomputeLedger(db);
        const trades = recomputeTrades(db);
        const differences = [
          ...ledger.differences,
          ...compareBorder(db, ledger.crossed),
          ...compareOwners(db),
          ...compareAccounts(db, ledger.balances, trades),
          ...comparePositions(db, trades),
          ...compareMarkets(db, ledger.balances, trades),
          ...compareCandles(db),
          ...compareHouseRisks(db),
        ];
        const wallets = [...db.accounts.values()].filter(({ id }) => walletOfAccount(id) !== null).length;
        return {
          checked: {
            wallets,
            markets: db.markets.size,
            positions: db.positions.size,
            entries: ledger.entries,
          },
          treasury: db.accounts.get('treasury')?.balance ?? 0n,
          external: db.accounts.get('external')?.balance ?? 0n,
          differences: differences.slice(0, MOST_DIFFERENCES),
        };
      }),
  };
}

function recomputeLedger(db: Database) {
  const balances = new Map<AccountId, bigint>();
  const differences: AuditDifference[] = [];
  const crossed = new Map<string, Crossing>();
  let entries = 0;
  for (const posting of db.postings.values()) {
    let sum = 0n;
    for (const { account, amount } of posting.entries) {
      balances.set(account, (balances.get(account) ?? 0n) + amount);
      sum += amount;
      if (account === 'external') crossed.set(posting.reference, { kind: posting.kind, amount: -amount });
    }
    entries += posting.entries.length;
    differences.push(...differ('posting', posting.reference, sum, 0n));
  }
  return { balances, crossed, differences, entries };
}

type PositionFigures = Pick<Position, 'shares' | 'costBasis' | 'realizedPnl' | 'feesPaid'>;
const NO_TRADES: PositionFigures = { shares: 0n, costBasis: 0n, realizedPnl: 0n, feesPaid: 0n };
type Recomputed = ReturnType<typeof recomputeTrades>;

function recomputeTrades(db: Database) {
  const positions = new Map<string, PositionFigures>();
  const tradeCounts = new Map<number, number>();
  const fees = new Map<number, bigint>();
  const activity = new Map<string, number>();
  for (const trade of db.trades.values()) {
    const key = positionKey(trade);
    const before = positions.get(key) ?? NO_TRADES;
    const bought = trade.action === 'buy';
    positions.set(key, {
      shares: before.shares + (bought ? trade.shares : -trade.shares),
      // A sale or a payout lowers the cost basis by the cost of its shares: its proceeds less its gain.
      costBasis: before.costBasis + (bought ? trade.totalCost : trade.realizedPnl - trade.totalCost),
      realizedPnl: before.realizedPnl + trade.realizedPnl,
      feesPaid: before.feesPaid + trade.fee,
    });
    if (trade.type === 'trade') tradeCounts.set(trade.marketId, (tradeCounts.get(trade.marketId) ?? 0) + 1);
    fees.set(trade.marketId, (fees.get(trade.marketId) ?? 0n) + trade.fee);
    activity.set(trade.wallet, (activity.get(trade.wallet) ?? 0) + 1);
  }
  return { positions, tradeCounts, fees, activity };
}

function compareAccounts(
  db: Database,
  balances: ReadonlyMap<AccountId, bigint>,
  trades: Recomputed,
): AuditDifference[] {
  const held = countPositions(db);
  const reserved = sumReservations(db);
  const ids = new Set<AccountId>([...db.accounts.values()].map((account) => account.id));
  for (const id of balances.keys()) if (marketOfPool(id) === null) ids.add(id);
  for (const wallet of [...trades.activity.keys(), ...held.keys(), ...reserved.keys()])
    ids.add(walletAccount(wallet));
  return [...ids].flatMap((id) => {
    const account = db.accounts.get(id);
    const wallet = walletOfAccount(id) ?? '';
    const positions = held.get(wallet);
    return [
      ...differ('account', id, account?.balance ?? 0n, balances.get(id) ?? 0n),
      ...differ('account', `${id} reserved`, account?.reserved ?? 0n, reserved.get(wallet) ?? 0n),
      ...differ(
        'counter',
        `${id} activityCount`,
        account?.activityCount ?? 0,
        trades.activity.get(wallet) ?? 0,
      ),
      ...differ('counter', `${id} openPositions`, account?.openPositions ?? 0, positions?.open ?? 0),
      ...differ('counter', `${id} totalPositions`, account?.totalPositions ?? 0, positions?.total ?? 0),
    ];
  });
}

function sumReservations(db: Database): Map<string, bigint> {
  const reserved = new Map<string, bigint>();
  for (const withdrawal of db.withdrawals.values()) {
    if (!isOpen(withdrawal)) continue;
    const { wallet, amount } = withdrawal;
    reserved.set(wallet, (reserved.get(wallet) ?? 0n) + amount);
  }
  return reserved;
}

function countPositions(db: Database): Map<string, { open: number; total: number }> {
  const held = new Map<string, { open: number; total: number }>();
  for (const { wallet, shares } of db.positions.values()) {
    const count = held.get(wallet) ?? { open: 0, total: 0 };
    held.set(wallet, { open: count.open + (shares > 0n ? 1 : 0), total: count.total + 1 });
  }
  return held;
}

function comparePositions(db: Database, trades: Recomputed): AuditDifference[] {
  const stored = new Map([...db.positions.values()].map((position) => [positionKey(position), position]));
  return [...new Set([...stored.keys(), ...trades.positions.keys()])].flatMap((key) => {
    const found: PositionFigures = stored.get(key) ?? NO_TRADES;
    const computed = trades.positions.get(key) ?? NO_TRADES;
    return [
      ...differ('position', `${key} shares`, found.shares, computed.shares),
      ...differ('position', `${key} costBasis`, found.costBasis, computed.costBasis),
      ...differ('position', `${key} realizedPnl`, found.realizedPnl, computed.realizedPnl),
      ...differ('position', `${key} feesPaid`, found.feesPaid, computed.feesPaid),
    ];
  });
}

function compareMarkets(
  db: Database,
  balances: ReadonlyMap<AccountId, bigint>,
  trades: Recomputed,
): AuditDifference[] {
  const shares = new Map<string, bigint>();
  for (const { marketId, side, shares: held } of db.positions.values()) {
    const key = `${marketId}:${side}`;
    shares.set(key, (shares.get(key) ?? 0n) + held);
  }
  const known: AuditDifference[] = [...db.markets.values()].flatMap((market) => [
    ...differ('pool', poolAccount(market.id), market.pool, balances.get(poolAccount(market.id)) ?? 0n),
    ...differ(
      'counter',
      `${poolAccount(market.id)} tradeCount`,
      market.tradeCount,
      trades.tradeCounts.get(market.id) ?? 0,
    ),
    ...differ(
      'counter',
      `${poolAccount(market.id)} creatorFees`,
      market.creatorFees,
      trades.fees.get(market.id) ?? 0n,
    ),
    ...compareShares(market, shares),
  ]);
  const orphans = [...balances].filter(([id]) => {
    const marketId = marketOfPool(id);
    return marketId !== null && !db.markets.has(marketId);
  });
  return [...known, ...orphans.flatMap(([id, balance]) => differ('pool', id, 0n, balance))];
}

/**
 * Compares a market's numbers of shares with its positions. A resolved market keeps these numbers while its
 * positions are paid out and become empty, so they are not compared.
 */
function compareShares(market: Market, shares: ReadonlyMap<string, bigint>): AuditDifference[] {
  if (market.status === 'resolved') return [];
  const pool = poolAccount(market.id);
  return [
    ...differ('market', `${pool} YES`, market.sharesYes, shares.get(`${market.id}:YES`) ?? 0n),
    ...differ('market', `${pool} NO`, market.sharesNo, shares.get(`${market.id}:NO`) ?? 0n),
  ];
}
