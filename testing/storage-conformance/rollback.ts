import type { Transaction } from '../../src/ports/storage';
import { rolledBack, type Suite } from './suite';
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
  sampleSettlement,
  sampleTrade,
  sampleWithdrawal,
  walletOf,
} from './samples';
import { sampleWebhook } from './webhook-samples';
import { sampleAct } from './operator-log';
import { sampleConsumer, sampleParkedFact } from './consumer-samples';
import { relay } from './relay';
import { LEASE, stateOf, writeFirst } from './state';

/** Inserts further rows, and changes or removes rows of `writeFirst`. */
async function writeSecond(transaction: Transaction, id: number): Promise<void> {
  const [market] = await transaction.markets.lock([id]);
  const [key] = await transaction.apiKeys.listActive(ALICE);
  if (market === undefined || key === undefined) throw new Error('the first rows are gone');
  await transaction.markets.insert(sampleMarket(await transaction.markets.nextId(), { slug: 'second' }));
  await transaction.markets.update([{ ...market, status: 'resolving', volume: 5n, marketSeq: 2 }]);
  await transaction.markets.leaseDue({ awaitsOracle: false, now: NOW, leaseUntil: NOW + HOUR, limit: 1 });
  await transaction.markets.addTotals([
    { status: 'open', category: 'crypto', markets: -1, exposure: -5n },
    { status: 'resolving', category: 'crypto', markets: 1, exposure: 5n },
  ]);
  await transaction.challenges.insert(sampleChallenge('second'));
  await transaction.challenges.consume(sampleChallenge('first').nonce);
  await transaction.apiKeys.insert(sampleKey('second'));
  await transaction.apiKeys.update(key.id, { rateLimit: 600, scopes: [] });
  await transaction.apiKeys.touch([{ id: key.id, usedAt: NOW + 1 }]);
  await transaction.apiKeys.revoke(key.id, ALICE, NOW);
  await transaction.creators.save(
    sampleCreator({ address: CREATOR, status: 'approved', updatedAt: NOW + 1 }),
  );
  await transaction.accounts.lock(['treasury'], NOW);
  await transaction.accounts.apply(
    [{ id: walletOf(ALICE), balance: -3n, reserved: 2n, activityCount: 2 }],
    NOW + 1,
  );
  await transaction.postings.insert([depositPosting('deposit:2', ALICE, 1n)]);
  await transaction.positions.save([
    samplePosition(1, { shares: 0n, paidOut: true }),
    samplePosition(1, { side: 'NO' }),
  ]);
  await transaction.trades.insert([sampleTrade(id), sampleSettlement(id)]);
  await transaction.candles.merge([
    sampleCandle(id, { close: 1, volume: 9n }),
    sampleCandle(id, { time: NOW - (NOW % MINUTE) + MINUTE }),
  ]);
  await transaction.events.append([sampleEvent({ kind: 'second' })]);
  await transaction.idempotency.insert([sampleRecord('second')]);
  await transaction.idempotency.deleteBefore(NOW + 1, 1);
  await transaction.deposits.insert(sampleDeposit('2'));
  await transaction.deposits.setFundsAfter('1', { balance: 77n, reserved: 7n });
  await transaction.settings.putIfAbsent('other', 'second');
  await transaction.settings.put('name', 'second');
  await transaction.leases.acquire({ name: 'job', owner: 'rolled back', now: NOW, until: NOW + MINUTE });
  await transaction.leases.release(LEASE);
  await transaction.payments.insert(samplePayment('second'));
  const payment = await transaction.payments.find(samplePayment('first'));
  if (payment !== null) await transaction.payments.update({ ...payment, status: 'submitted', attempts: 3 });
  const [withdrawal] = await transaction.withdrawals.listOpen({ afterId: 0, limit: 1 });
  if (withdrawal !== undefined) await transaction.withdrawals.update({ ...withdrawal, status: 'sent' });
  await transaction.withdrawals.insert(sampleWithdrawal());
  await transaction.resolutions.save(sampleResolution(id, { status: 'escalated' }));
  await transaction.resolutions.updateRound(sampleRound(id, { status: 'voted', calls: 5 }));
  await transaction.resolutions.insertRound(sampleRound(id, { round: 2 }));
  const [webhook] = (await transaction.webhooks.list({ limit: 1, offset: 0 })).webhooks;
  if (webhook !== undefined) await transaction.webhooks.update({ ...webhook, seq: 9 });
  await transaction.webhooks.insert(sampleWebhook());
  await transaction.operatorLog.append(sampleAct());
  await transaction.consumers.insert(sampleConsumer('second'));
  await transaction.consumers.update(sampleConsumer('first', { seq: 8, token: 2 }));
  await transaction.consumers.park(sampleParkedFact('first', { redo: true }));
  await transaction.consumers.park(sampleParkedFact('first', { seq: 8 }));
  await transaction.consumers.unpark({ consumer: 'first', epoch: 'epoch-1', seq: 8 });
}

export function rollbackTests({ describe, test }: Suite): void {
  describe('rollback', () => {
    test('leaves an empty storage empty', 'atomic', async ({ storage, inspect, check }) => {
      let id = 0;
      const before = await stateOf(storage, 1);
      await rolledBack(storage, async (transaction) => {
        id = await writeFirst(transaction);
      });
      await relay(storage);
      check.equal(await stateOf(storage, id), before);
      if (inspect === null) return;
      check.equal(await inspect.challengeExists(sampleChallenge('first').nonce), false, 'challenge row');
      check.equal(await inspect.account(walletOf(ALICE)), null, 'account row');
      check.equal(await inspect.entries('deposit:1'), [], 'entry rows');
      check.equal(await inspect.market(id), null, 'market row');
      check.equal(await inspect.position(id, ALICE, 'YES'), null, 'position row');
    });

    test('undoes every kind of insert, change and removal', 'atomic', async ({ storage, other, check }) => {
      const id = await storage.transaction(writeFirst);
      await relay(storage);
      const before = await stateOf(storage, id);
      await rolledBack(storage, (transaction) => writeSecond(transaction, id));
      await relay(storage);
      check.equal(await stateOf(storage, id), before);
      check.equal(await stateOf(await other(), id), before, 'seen from the other handle');
    });

    test(
      'gives back what was taken: nonce, lease, due market, settlement, references',
      'atomic',
      async ({ storage, check }) => {
        const id = await storage.transaction(writeFirst);
        await rolledBack(storage, (transaction) => writeSecond(transaction, id));
        const nonce = sampleChallenge('first').nonce;
        await storage.transaction(async (transaction) => {
          const due = await transaction.markets.leaseDue({
            awaitsOracle: false,
            now: NOW,
            leaseUntil: NOW + HOUR,
            limit: 5,
          });
          check.equal(
            due.map(({ leaseToken }) => leaseToken),
            [1],
            'lease token',
          );
          check.equal((await transaction.challenges.consume(nonce))?.nonce, nonce, 'challenge');
          const lease = await transaction.leases.acquire({
            name: 'job',
            owner: 'another',
            now: NOW,
            until: NOW + MINUTE,
          });
          check.equal(lease === null, false, 'the lease is held');
          check.equal(
            await transaction.leases.acquire({ ...LEASE, owner: 'another' }),
            null,
            'the released lease is free',
          );
          check.equal((await transaction.trades.insert([sampleSettlement(id)])).length, 1, 'settlement');
          check.equal(await transaction.deposits.insert(sampleDeposit('2')), true, 'deposit reference');
          check.equal(
            await transaction.markets.insert(
              sampleMarket(await transaction.markets.nextId(), { slug: 'second' }),
            ),
            true,
            'slug',
          );
          await transaction.postings.insert([depositPosting('deposit:2', ALICE, 1n)]);
          await transaction.idempotency.insert([sampleRecord('second')]);
        });
      },
    );
  });
}
