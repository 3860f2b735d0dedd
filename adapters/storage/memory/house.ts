import { exposureOf } from '../../../src/domain/house';
import { walletOfAccount } from '../../../src/domain/ledger';
import type { CountedMarkets, HouseFindings } from '../../../src/ports/storage';
import type { Database } from './database';

export function addUpHouse(db: Database): HouseFindings {
  const findings: HouseFindings = {
    wallets: 0n,
    reserved: 0n,
    pools: 0n,
    exposure: exposureOf([...db.totals.values()]),
    counted: [],
  };
  for (const { id, balance, reserved } of db.accounts.values()) {
    if (walletOfAccount(id) === null) continue;
    findings.wallets += balance;
    findings.reserved += reserved;
  }
  const counted = new Map<string, CountedMarkets>();
  for (const { pool, status, category, liquidityParameter } of db.markets.values()) {
    findings.pools += pool;
    const key = `${status} ${category} ${liquidityParameter}`;
    const markets = (counted.get(key)?.markets ?? 0) + 1;
    counted.set(key, { status, category, liquidityParameter, markets });
  }
  findings.counted = [...counted.values()];
  return findings;
}
