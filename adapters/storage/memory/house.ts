import { exposureOf } from '../../../src/domain/house';
import { walletOfAccount } from '../../../src/domain/ledger';
import type { HouseFindings } from '../../../src/ports/storage';
import { compareBigints, type Database } from './database';

export function addUpHouse(db: Database): HouseFindings {
  const findings: HouseFindings = {
    wallets: 0n,
    reserved: 0n,
    pools: 0n,
    exposure: exposureOf([...db.totals.values()]),
    unresolved: [],
  };
  for (const { id, balance, reserved } of db.accounts.values()) {
    if (walletOfAccount(id) === null) continue;
    findings.wallets += balance;
    findings.reserved += reserved;
  }
  const unresolved = new Map<bigint, number>();
  for (const { pool, status, liquidityParameter } of db.markets.values()) {
    findings.pools += pool;
    if (status !== 'resolved')
      unresolved.set(liquidityParameter, (unresolved.get(liquidityParameter) ?? 0) + 1);
  }
  findings.unresolved = [...unresolved]
    .map(([liquidityParameter, markets]) => ({ liquidityParameter, markets }))
    .sort((a, b) => compareBigints(a.liquidityParameter, b.liquidityParameter));
  return findings;
}
