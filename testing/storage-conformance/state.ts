/** Rows of nearly every kind, and a function that reads them. */
import type { Storage, Transaction } from '../../src/ports/storage';
import { sampleResolution, sampleRound } from './resolution-samples';
import {
  ALICE,
  CREATOR,
  depositPosting,
  HOUR,
  MINUTE,
  NOW,
  sampleCandle,
  sampleChallenge,
  sampleCreator,
  sampleDeposit,
  sampleEvent,
  sampleKey,
  sampleMarket,
  samplePayment,
  samplePosition,
  sampleRecord,
  sampleTrade,
  sampleWithdrawal,
  walletOf,
} from './samples';
import { sampleDelivery, sampleWebhook } from './webhook-samples';
import { sampleAct } from './operator-log';
import { sampleConsumer, sampleParkedFact } from './consumer-samples';

/** The lease that `writeFirst` takes. */
export const LEASE = { name: 'held', owner: 'first', now: NOW, until: NOW + MINUTE };

export async function balanceOfAlice(storage: Storage): Promise<bigint | undefined> {
  return (await storage.read((r) => r.accounts.find(walletOf(ALICE))))?.balance;
}

/** The rows that the storage has, of nearly every kind, for comparison. */
export async function stateOf(storage: Storage, marketId: number): Promise<unknown> {
  const read = await storage.snapshot(async (r) => ({
    setting: await r.settings.get('name'),
    keys: await r.apiKeys.listActive(ALICE),
    creators: await r.creators.list({ limit: 10, offset: 0 }),
    markets: await r.markets.list({ sort: 'created_desc', now: NOW, limit: 10, offset: 0 }),
    created: await r.markets.listByCreator({ creator: CREATOR, limit: 10, offset: 0 }),
    wallet: await r.accounts.find(walletOf(ALICE)),
    treasury: await r.accounts.find('treasury'),
    postings: [await r.postings.find('deposit:1'), await r.postings.find('deposit:2')],
    positions: await r.positions.list({ wallet: ALICE, status: 'all', limit: 10, offset: 0 }),
    trades: await r.trades.listByWallet({ wallet: ALICE, limit: 10, offset: 0 }),
    candles: await r.candles.list({ marketId, lengthMs: MINUTE, from: 0, to: NOW + HOUR, limit: 100 }),
    events: await r.events.after(0, 10),
    head: await r.events.head(),
    payment: await r.payments.find(samplePayment('first')),
    payments: await r.payments.list({ limit: 10, offset: 0 }),
    deposits: await r.deposits.list({ wallet: ALICE, limit: 10, offset: 0 }),
    withdrawals: await r.withdrawals.list({ wallet: ALICE, limit: 10, offset: 0 }),
    openWithdrawals: await r.withdrawals.listOpen({ afterId: 0, limit: 10 }),
    resolutions: await r.resolutions.list({ limit: 10, offset: 0 }),
    rounds: await r.resolutions.listRounds({ marketId, limit: 10 }),
    spent: await r.resolutions.spentSince(0),
    webhooks: await r.webhooks.list({ limit: 10, offset: 0 }),
    consumers: await r.consumers.list(),
    operatorLog: await r.operatorLog.list({ limit: 10, offset: 0 }),
    parked: await r.consumers.listParked({ consumer: 'first', limit: 10, offset: 0 }),
  }));
  const write = await storage.transaction(async (transaction) => ({
    totals: await transaction.markets.lockTotals(),
    records: await transaction.idempotency.find([
      { wallet: ALICE, key: 'first' },
      { wallet: ALICE, key: 'second' },
    ]),
    deposits: [await transaction.deposits.find('1'), await transaction.deposits.find('2')],
  }));
  return { ...read, ...write };
}

/** Writes one row of nearly every kind and returns the id of the market. */
export async function writeFirst(transaction: Transaction): Promise<number> {
  const market = sampleMarket(await transaction.markets.nextId(), { dueAt: NOW });
  await transaction.settings.putIfAbsent('name', 'first');
  await transaction.challenges.insert(sampleChallenge('first'));
  await transaction.apiKeys.insert(sampleKey('first'));
  await transaction.creators.save(sampleCreator());
  await transaction.markets.insert(market);
  await transaction.markets.addTotals([{ status: 'open', category: 'crypto', markets: 1, exposure: 5n }]);
  await transaction.accounts.apply(
    [{ id: walletOf(ALICE), balance: 10n, activityCount: 1, totalPositions: 1 }],
    NOW,
  );
  await transaction.postings.insert([depositPosting('deposit:1', ALICE, 10n)]);
  await transaction.positions.save([samplePosition(market.id)]);
  await transaction.trades.insert([sampleTrade(market.id)]);
  await transaction.candles.merge([sampleCandle(market.id)]);
  await transaction.events.append([sampleEvent()]);
  await transaction.idempotency.insert([sampleRecord('first')]);
  await transaction.deposits.insert(sampleDeposit('1'));
  await transaction.payments.insert(samplePayment('first'));
  await transaction.withdrawals.insert(sampleWithdrawal());
  await transaction.resolutions.save(sampleResolution(market.id));
  await transaction.resolutions.insertRound(sampleRound(market.id));
  const webhook = await transaction.webhooks.insert(sampleWebhook());
  await transaction.webhooks.addDeliveries(webhook.id, [sampleDelivery()], 5);
  await transaction.consumers.insert(sampleConsumer('first'));
  await transaction.consumers.park(sampleParkedFact('first'));
  await transaction.operatorLog.append(sampleAct());
  await transaction.leases.acquire(LEASE);
  return market.id;
}
