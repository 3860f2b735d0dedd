/** Books for the tests of the audit. The books are complete and consistent after every step. */
import { candlesOfTrade } from '../../src/domain/candles';
import type { Withdrawal } from '../../src/domain/withdrawals';
import type { Storage } from '../../src/ports/storage';
import {
  addMarket,
  ALICE,
  BOB,
  depositPosting,
  NOW,
  sampleDeposit,
  samplePosition,
  sampleSettlement,
  sampleTrade,
  walletOf,
  sampleWithdrawal,
} from './samples';

export const alice = walletOf(ALICE);

/**
 * Writes a deposit of 100 USD and one purchase of 5 YES shares by Alice, complete and consistent. Returns the
 * market's id.
 */
export async function trade(storage: Storage): Promise<number> {
  const { id, creator, liquidityParameter } = await addMarket(storage);
  await storage.transaction(async (transaction) => {
    const [market] = await transaction.markets.lock([id]);
    if (market === undefined) throw new Error('the market is gone');
    await transaction.markets.addRisk({ creator, liquidityParameter, unresolved: 1, lost: 0n });
    await transaction.deposits.insert(sampleDeposit('100', { amount: 100_000_000n }));
    await transaction.postings.insert([
      depositPosting('deposit:100', ALICE, 100_000_000n),
      {
        kind: 'trade',
        reference: 'trade:1',
        createdAt: NOW,
        entries: [
          { account: alice, amount: -2_600_000n },
          { account: `market:${id}`, amount: 2_587_000n },
          { account: walletOf(BOB), amount: 13_000n },
        ],
      },
    ]);
    await transaction.trades.insert([sampleTrade(id)]);
    await transaction.candles.merge(candlesOfTrade(sampleTrade(id), 500_000));
    await transaction.positions.save([samplePosition(id)]);
    await transaction.markets.update([
      {
        ...market,
        sharesYes: 5_000_000n,
        pool: 2_587_000n,
        volume: 2_587_000n,
        creatorFees: 13_000n,
        tradeCount: 1,
      },
    ]);
    await transaction.accounts.apply(
      [
        { id: 'external', balance: -100_000_000n },
        { id: alice, balance: 97_400_000n, activityCount: 1, openPositions: 1, totalPositions: 1 },
        { id: walletOf(BOB), balance: 13_000n },
      ],
      NOW,
    );
  });
  return id;
}

/** Resolves the market as YES. The treasury fills the pool up to what is owed. No position is paid yet. */
export async function resolve(storage: Storage, id: number): Promise<void> {
  await storage.transaction(async (transaction) => {
    const [market] = await transaction.markets.lock([id]);
    if (market === undefined) throw new Error('the market is gone');
    const resolution = {
      outcome: 'YES',
      resolvedAt: NOW,
      oracleConsensus: 1,
      method: 'operator',
      note: null,
    } as const;
    await transaction.markets.update([{ ...market, status: 'resolved', resolution, pool: 5_000_000n }]);
    const entries = [
      { account: 'treasury' as const, amount: -2_413_000n },
      { account: `market:${id}` as const, amount: 2_413_000n },
    ];
    await transaction.postings.insert([
      { kind: 'resolution', reference: `resolution:${id}`, createdAt: NOW, entries },
    ]);
    await transaction.accounts.apply([{ id: 'treasury', balance: -2_413_000n }], NOW);
    const { creator, liquidityParameter } = market;
    await transaction.markets.addRisk({ creator, liquidityParameter, unresolved: -1, lost: 2_413_000n });
  });
}

export async function pay(storage: Storage, id: number): Promise<void> {
  await storage.transaction(async (transaction) => {
    const [market] = await transaction.markets.lock([id]);
    const [position] = await transaction.positions.listUnpaid(id, 10);
    if (market === undefined || position === undefined) throw new Error('nothing to pay');
    const entries = [
      { account: `market:${id}` as const, amount: -5_000_000n },
      { account: alice, amount: 5_000_000n },
    ];
    await transaction.postings.insert([
      { kind: 'settlement', reference: `settlement:${id}:alice:YES`, createdAt: NOW, entries },
    ]);
    await transaction.trades.insert([sampleSettlement(id)]);
    await transaction.positions.save([
      { ...position, shares: 0n, costBasis: 0n, realizedPnl: 2_400_000n, paidOut: true },
    ]);
    await transaction.accounts.apply(
      [{ id: alice, balance: 5_000_000n, activityCount: 1, openPositions: -1 }],
      NOW,
    );
    await transaction.markets.update([{ ...market, pool: 0n }]);
  });
}

/** Inserts a withdrawal by Alice and reserves its amount, as the service does. */
export const withdraw = (storage: Storage, amount: bigint): Promise<Withdrawal> =>
  storage.transaction(async (transaction) => {
    await transaction.accounts.lock([alice], NOW);
    await transaction.accounts.apply([{ id: alice, balance: 0n, reserved: amount }], NOW);
    return transaction.withdrawals.insert(sampleWithdrawal({ amount }));
  });

export async function endWithdrawal(
  storage: Storage,
  withdrawal: Withdrawal,
  status: 'confirmed' | 'failed',
): Promise<void> {
  const { amount, id } = withdrawal;
  const paid = status === 'confirmed' ? amount : 0n;
  await storage.transaction(async (transaction) => {
    await transaction.accounts.lock([alice, 'external'], NOW);
    await transaction.withdrawals.update({ ...withdrawal, status });
    const changes = [
      { id: alice, balance: -paid, reserved: -amount },
      { id: 'external' as const, balance: paid },
    ];
    await transaction.accounts.apply(changes, NOW);
    if (paid === 0n) return;
    const entries = [
      { account: alice, amount: -paid },
      { account: 'external' as const, amount: paid },
    ];
    await transaction.postings.insert([
      { kind: 'withdrawal', reference: `withdrawal:${id}`, createdAt: NOW, entries },
    ]);
  });
}
