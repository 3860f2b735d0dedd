/**
 * An instance leased a payment while its clock was a day ahead. Once the clock is right, the payer's next request or
 * the reconciliation continues the payment.
 */
import { memoryStorage } from '../../adapters/storage/memory';
import { fakeFacilitator, type FakeFacilitator } from '../../testing/fake-facilitator';
import type { Storage } from '../../src/ports/storage';
import { startService, wallet, type Service } from '../http/support/service';
import { FEED, paymentFor, send } from './support/calls';

const DAY_MS = 86_400_000;
const payer = wallet(863);

let storage: Storage;
let facilitator: FakeFacilitator;
let service: Service;
let headers: Record<string, string>;

beforeEach(async () => {
  storage = memoryStorage();
  facilitator = fakeFacilitator();
  facilitator.settleWith({ status: 'unknown', reason: 'time-out' });
  facilitator.lookupWith({ status: 'unknown', reason: 'not yet' });
  service = await startService({ storage, facilitator, resolutionIntervalMs: DAY_MS });
  headers = await paymentFor(service, payer, FEED);
  expect((await send(service, FEED, headers)).status).toBe(503);
  await storage.transaction(async (transaction) => {
    const [listed] = await transaction.payments.list({ limit: 1, offset: 0 });
    const payment = listed === undefined ? null : await transaction.payments.lock(listed.id);
    if (payment === null) throw new Error('there is no payment');
    const until = service.clock.now() + DAY_MS;
    await transaction.payments.update({ ...payment, leaseUntil: until, dueAt: until });
  });
  facilitator.lookupWith({ status: 'unused' });
  facilitator.settleWith({ status: 'settled', transaction: `0x${'5e'.repeat(32)}` });
});
afterEach(() => service.close());

const status = async (): Promise<string | undefined> => (await service.pm.listPayments()).payments[0]?.status;

describe('a payment that an instance has leased by a wrong clock is taken over', () => {
  it('by its payer, who sends it again', async () => {
    expect((await send(service, FEED, headers)).status).toBe(200);
    expect(await status()).toBe('delivered');
  });

  it('by the reconciliation', async () => {
    await service.pm.runJobs();
    expect(await status()).toBe('settled');
  });
});
