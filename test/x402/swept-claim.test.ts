/**
 * The worker of a claim died, and the payer does not come back. The storage may have lost the submission, so a look-up
 * decides whether the jobs may delete the claim.
 */
import { memoryStorage } from '../../adapters/storage/memory';
import type { LookupResult } from '../../src/ports/facilitator';
import type { Storage } from '../../src/ports/storage';
import { fakeFacilitator, type FakeFacilitator } from '../../testing/fake-facilitator';
import { startService, wallet, type Service } from '../http/support/service';
import { DEPOSIT, paymentFor, send } from './support/calls';

const DAY_MS = 86_400_000;
const payer = wallet(873);
const TRANSACTION = `0x${'ef'.repeat(32)}`;

let storage: Storage;
let facilitator: FakeFacilitator;
let service: Service;
beforeEach(async () => {
  storage = memoryStorage();
  facilitator = fakeFacilitator();
  service = await startService({ storage, facilitator, jobIntervalMs: DAY_MS });
});
afterEach(() => service.close());

const balance = async (): Promise<number> =>
  (await service.pm.getAccount({ address: payer.address })).balance;
const statuses = async (): Promise<string[]> =>
  (await service.pm.listPayments()).payments.map(({ status }) => status);
const settlements = (): number => facilitator.calls.filter(({ method }) => method === 'settle').length;

/**
 * Sends a payment, and then sets its row back to `claimed`, as if the storage had lost its newest commits. The returned
 * function sends the payment again.
 */
async function leftBehind(): Promise<() => Promise<number>> {
  facilitator.settleWith({ status: 'unknown', reason: 'no answer' });
  facilitator.lookupWith({ status: 'unknown', reason: 'no node' });
  const headers = await paymentFor(service, payer, DEPOSIT);
  expect((await send(service, DEPOSIT, headers)).status).toBe(503);
  await storage.transaction(async (transaction) => {
    const [listed] = await transaction.payments.list({ limit: 1, offset: 0 });
    const payment = listed === undefined ? null : await transaction.payments.lock(listed.id);
    if (payment === null) throw new Error('there is no payment');
    const lost = { status: 'claimed', answer: null, reason: null, attempts: 0 } as const;
    const until = service.clock.now() + 6_000;
    await transaction.payments.update({ ...payment, ...lost, leaseUntil: until, dueAt: until });
  });
  return async () => (await send(service, DEPOSIT, headers)).status;
}

async function sweep(found: LookupResult, afterMs = 7_000): Promise<void> {
  facilitator.lookupWith(found);
  service.clock.advance(afterMs);
  await service.pm.runJobs();
}

it('a claim left behind is credited when its transfer is found, and its payer gets the answer', async () => {
  const spentAt = Math.floor(service.clock.now() / 1000) + 2;
  const again = await leftBehind();
  await sweep({ status: 'settled', transaction: TRANSACTION, spentAt });
  expect([await balance(), await statuses(), settlements()]).toEqual([25, ['settled'], 1]);
  expect(await again()).toBe(201);
  expect([await balance(), (await service.pm.audit()).ok]).toEqual([25, true]);
});

it('a claim left behind is deleted when the look-up says that it never can be settled', async () => {
  await leftBehind();
  await sweep({ status: 'invalid', reason: 'cancelled' });
  expect([await balance(), await statuses(), settlements()]).toEqual([0, [], 1]);
});

describe.each([undefined, 0])(
  'a claim left behind that the look-up calls unused, with %s as the age of its block,',
  (age) => {
    const unused = (): LookupResult =>
      age === undefined
        ? { status: 'unused' }
        : { status: 'unused', asOf: Math.floor(service.clock.now() / 1000) - age };

    it('is kept, because its transfer may be under way, and credited once that is found', async () => {
      const spentAt = Math.floor(service.clock.now() / 1000) + 20;
      const again = await leftBehind();
      await sweep(unused());
      expect([await balance(), await statuses(), settlements()]).toEqual([0, ['claimed'], 1]);
      await sweep({ status: 'settled', transaction: TRANSACTION, spentAt }, 60_000);
      expect([await balance(), await statuses(), settlements()]).toEqual([25, ['settled'], 1]);
      expect(await again()).toBe(201);
      expect([await balance(), (await service.pm.audit()).ok]).toEqual([25, true]);
    });

    it('can be paid by its payer, who repeats the request', async () => {
      const again = await leftBehind();
      await sweep(unused());
      facilitator.settleWith({ status: 'settled', transaction: TRANSACTION });
      expect(await again()).toBe(201);
      expect([await balance(), await statuses(), settlements()]).toEqual([25, ['delivered'], 2]);
    });
  },
);

it('a claim left behind is deleted after its window when it is still unused', async () => {
  await leftBehind();
  await sweep({ status: 'unused' });
  await sweep({ status: 'unused' }, DAY_MS);
  expect([await balance(), await statuses(), settlements()]).toEqual([0, [], 1]);
});

it('a claim left behind is kept after its window by our clock while the chain does not say that it is past', async () => {
  const asOf = Math.floor(service.clock.now() / 1000);
  await leftBehind();
  await sweep({ status: 'unused', asOf }, DAY_MS);
  expect(await statuses()).toEqual(['claimed']);
  await sweep({ status: 'invalid', reason: 'expired' }, 60_000);
  expect(await statuses()).toEqual([]);
});

it('a claim left behind is rejected when its transfer is older than the claim', async () => {
  const spentAt = Math.floor(service.clock.now() / 1000) - 60;
  await leftBehind();
  await sweep({ status: 'settled', transaction: TRANSACTION, spentAt });
  expect([await balance(), await statuses()]).toEqual([0, ['rejected']]);
});

it('a claim left behind is kept and not charged while the look-up does not tell, and credited once it does', async () => {
  const spentAt = Math.floor(service.clock.now() / 1000) + 2;
  await leftBehind();
  await sweep({ status: 'unknown', reason: 'no node' });
  await sweep({ status: 'unknown', reason: 'no node' }, 300_000);
  expect([await balance(), await statuses(), settlements()]).toEqual([0, ['claimed'], 1]);
  await sweep({ status: 'settled', transaction: TRANSACTION, spentAt }, 300_000);
  expect([await balance(), await statuses(), settlements()]).toEqual([25, ['settled'], 1]);
});

it('a claim left behind is deleted after its window when no look-up ever tells', async () => {
  await leftBehind();
  await sweep({ status: 'unknown', reason: 'no node' });
  await sweep({ status: 'unknown', reason: 'no node' }, DAY_MS);
  expect([await balance(), await statuses()]).toEqual([0, []]);
});
