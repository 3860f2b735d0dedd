/** A claim whose money has come and whose oracle is gone. An operator pays the money back and rejects the payment. */
import { jest } from '@jest/globals';
import type { LookupResult } from '../../src/ports/facilitator';
import { fakeFacilitator, type FakeFacilitator } from '../../testing/fake-facilitator';
import { fakeOracle, type FakeOracle } from '../../testing/fake-oracle';
import { startService, wallet, type Service } from '../http/support/service';
import { createGate } from '../support/gate';
import { until } from '../support/until';
import { ORACLE, paymentFor, send } from './support/calls';

const DAY_MS = 86_400_000;
const payer = wallet(883);
const TRANSACTION = `0x${'ab'.repeat(32)}`;

let facilitator: FakeFacilitator;
let service: Service;
let oracle: FakeOracle;
let headers: Record<string, string>;

const status = async (): Promise<string | undefined> => (await service.pm.listPayments()).payments[0]?.status;
const paidAt = (time: number): LookupResult => ({
  status: 'settled',
  transaction: TRANSACTION,
  spentAt: Math.floor(time / 1000),
});

const transaction = TRANSACTION.toUpperCase().replace('0X', '0x');
const PAID_BACK = { id: 1, reason: 'paid back', transaction };
beforeEach(async () => {
  facilitator = fakeFacilitator();
  oracle = fakeOracle();
  service = await startService({ facilitator, oracle, jobIntervalMs: DAY_MS });
  facilitator.verifyWith({ status: 'spent', reason: 'used' });
  facilitator.lookupWith(paidAt(service.clock.now()));
  oracle.fail();
  headers = await paymentFor(service, payer, ORACLE);
});
afterEach(() => service.close());
const present = () => send(service, ORACLE, headers);
const afterDays = async () => {
  for (let day = 0; day < 3; day += 1) {
    service.clock.advance(DAY_MS);
    await service.pm.runJobs();
  }
  return [await status(), (await present()).status];
};

it('a paid question whose oracle is gone is rejected by an operator who names its transaction, for good', async () => {
  expect((await present()).body).toMatchObject({ code: 'SETTLEMENT_PENDING' });
  await service.pm.rejectPayment(PAID_BACK);
  oracle.answer('YES');
  expect(await afterDays()).toEqual(['rejected', 402]);
});

it('a paid question is rejected also after a refused attempt to reject it without its transaction', async () => {
  await present();
  const refused = service.pm.rejectPayment({ id: 1, reason: 'the oracle is gone' });
  await expect(refused).rejects.toMatchObject({ code: 'ALREADY_RESOLVED' });
  await service.pm.rejectPayment(PAID_BACK);
  expect(await afterDays()).toEqual(['rejected', 402]);
});

it('a paid question stays rejected when the oracle answers a worker that is late', async () => {
  await present();
  const release = oracle.hold();
  const late = present();
  await until(async () => oracle.held === 1);
  await service.pm.rejectPayment(PAID_BACK);
  oracle.answer('YES');
  release();
  expect((await late).status).toBe(402);
  expect(await afterDays()).toEqual(['rejected', 402]);
});

it('a payment is not rejected if a worker learns during the look-up that it has paid', async () => {
  facilitator.lookupWith({ status: 'unknown', reason: 'no node' });
  await present();
  const late = createGate<LookupResult>();
  const lookup = jest.spyOn(facilitator, 'lookup').mockReturnValueOnce(late.opened);
  const input = { id: 1, reason: 'never seen' };
  const rejection = service.pm.rejectPayment(input).catch((error: unknown) => error);
  await until(async () => lookup.mock.calls.length === 1);
  facilitator.lookupWith(paidAt(service.clock.now()));
  await present();
  late.open({ status: 'unknown', reason: 'no node' });
  expect(await rejection).toMatchObject({ code: 'ALREADY_RESOLVED' });
  expect(await status()).toBe('claimed');
});
