import { memoryStorage } from '../../adapters/storage/memory';
import type { Storage, Transaction } from '../../src/ports/storage';
import { fakeFacilitator } from '../../testing/fake-facilitator';
import { startService, wallet, type Service } from '../http/support/service';
import { until } from '../support/until';
import { DEPOSIT, paymentFor, send } from './support/calls';
import { createGate, type Gate } from '../support/gate';

const payer = wallet(898);
let one: Service;
let two: Service;
let storing: Gate;
let reads: number;

function slowDelivery(inner: Storage): Storage {
  let opened: Promise<void> | null = null;
  const slow = (tx: Transaction): Transaction => ({
    ...tx,
    payments: {
      ...tx.payments,
      async update(payment) {
        if (payment.status === 'delivered') throw new Delivered();
        return tx.payments.update(payment);
      },
    },
  });
  return {
    ...inner,
    open: (context) => (opened ??= inner.open(context)),
    close: () => Promise.resolve(),
    async read(work) {
      const result = await inner.read(work);
      reads += 1;
      return result;
    },
    async transaction(work) {
      try {
        return await inner.transaction((tx) => work(slow(tx)));
      } catch (error) {
        if (!(error instanceof Delivered)) throw error;
        await storing.opened;
        return inner.transaction(work);
      }
    },
  };
}

class Delivered extends Error {}

beforeEach(async () => {
  storing = createGate();
  const options = {
    storage: slowDelivery(memoryStorage()),
    facilitator: fakeFacilitator(),
    jobIntervalMs: 86_400_000,
  };
  one = await startService(options);
  two = await startService(options);
});
afterEach(async () => {
  storing.open();
  await one.close();
  await two.close();
});

it('a copy waits while the delivery is being stored', async () => {
  const headers = await paymentFor(one, payer, DEPOSIT);
  expect((await send(one, DEPOSIT, headers)).status).toBe(201);
  reads = 0;
  const copy = send(two, DEPOSIT, headers).then(({ body }) => body as object);
  await until(() => reads > 0);
  storing.open();
  expect(await copy).toMatchObject({
    code: 'PAYMENT_INVALID',
    message: expect.stringMatching(/used already/),
  });
});

it('a copy does not wait for a delivery that has not been stored for a while', async () => {
  const headers = await paymentFor(one, payer, DEPOSIT);
  expect((await send(one, DEPOSIT, headers)).status).toBe(201);
  two.clock.advance(3_001);
  expect((await send(two, DEPOSIT, headers)).status).toBe(201);
});
