import { memoryStorage } from '../../adapters/storage/memory';
import { serviceUnavailable } from '../../src/domain/errors';
import type { PaymentRecord } from '../../src/domain/payments';
import type { Storage } from '../../src/ports/storage';
import { createPaymentDeliveries } from '../../src/usecases/payments/payment-deliveries';
import { createGate, type Gate } from '../support/gate';
import { wallet } from '../http/support/service';
import type { Context } from '../../src/usecases/context';

const NOW = Date.parse('2037-03-01T12:00:00Z');
const payer = wallet(842).address.toLowerCase() as PaymentRecord['payer'];
let storage: Storage;
let gate: Gate;
/** One entry for each transaction: the payments that the transaction has locked. */
let begun: number[][];
/** By the id of a payment: the error of each attempt to lock the payment. */
let failures: Map<number, Error>;
let isAway: boolean;
let warned: unknown[];
let deliveries: ReturnType<typeof createPaymentDeliveries>;

beforeEach(async () => {
  const memory = memoryStorage();
  await memory.open({} as never);
  gate = createGate();
  gate.open();
  begun = [];
  failures = new Map();
  warned = [];
  isAway = false;
  storage = {
    ...memory,
    ping: () => (isAway ? Promise.reject(serviceUnavailable('away')) : memory.ping()),
    async transaction(work) {
      const locked: number[] = [];
      begun.push(locked);
      await gate.opened;
      return memory.transaction((transaction) =>
        work({
          ...transaction,
          payments: {
            ...transaction.payments,
            lock: (id) => {
              locked.push(id);
              const failure = failures.get(id);
              return failure ? Promise.reject(failure) : transaction.payments.lock(id);
            },
          },
        }),
      );
    },
  };
  const logger = { warn: (fields: { paymentId?: number }) => void warned.push(fields.paymentId) };
  deliveries = createPaymentDeliveries({ storage, clock: { now: () => NOW }, logger } as unknown as Context);
});
afterEach(() => storage.close());

async function settled(count: number): Promise<PaymentRecord[]> {
  const made: PaymentRecord[] = [];
  for (let index = 0; index < count; index += 1) {
    const payment = await storage.transaction((transaction) =>
      transaction.payments.insert({
        asset: `0x${'a'.repeat(40)}`,
        payer,
        nonce: `0x${index.toString(16).padStart(64, '0')}`,
        status: 'settled',
        amount: 1_000n,
        operation: 'feed',
        fingerprint: 'f',
        payment: '{}',
        command: '{}',
        transaction: null,
        answer: { status: 200, headers: {}, body: '{}' },
        reason: null,
        createdAt: NOW,
        updatedAt: NOW,
        leaseUntil: 0,
        leaseToken: 1,
        dueAt: null,
        attempts: 0,
        decision: null,
      }),
    );
    if (payment !== null) made.push(payment);
  }
  begun = [];
  return made;
}

async function statuses(): Promise<string[]> {
  const payments = await storage.read((reader) =>
    reader.payments.list({ status: undefined, limit: 200, offset: 0 }),
  );
  return payments.map(({ status }) => status).reverse();
}

it('a lone delivery is stored at once, in a transaction of its own', async () => {
  const [one] = await settled(1);
  if (one === undefined) throw new Error('no payment');
  const stored = deliveries.store(one);
  expect(deliveries.of(one)).toBe(stored);
  await stored;
  expect([await statuses(), begun]).toEqual([['delivered'], [[1]]]);
  expect([deliveries.of(one), deliveries.tasks()]).toEqual([undefined, []]);
});

it('deliveries that come meanwhile are stored together, in the order of their ids, at most 32 at once', async () => {
  const payments = await settled(40);
  gate = createGate();
  const stored = [payments[0], ...payments.slice(1).reverse()].map((payment) =>
    deliveries.store(payment as PaymentRecord),
  );
  expect([begun.length, deliveries.tasks().length]).toEqual([1, 40]);
  gate.open();
  await Promise.all(stored);
  expect(begun.map((ids) => ids.length)).toEqual([1, 32, 7]);
  for (const ids of begun) expect(ids).toEqual([...ids].sort((a, b) => a - b));
  expect(new Set(await statuses())).toEqual(new Set(['delivered']));
});

it('a payment that cannot be stored keeps no other delivery back', async () => {
  const payments = await settled(3);
  failures.set(2, new Error('this row is broken'));
  gate = createGate();
  const first = await Promise.resolve(payments.map((payment) => deliveries.store(payment)));
  gate.open();
  await Promise.all(first);
  expect(await statuses()).toEqual(['delivered', 'settled', 'delivered']);
  expect([warned, deliveries.tasks()]).toEqual([[2], []]);
});

it('a row that another session has locked for too long keeps no other delivery back', async () => {
  const payments = await settled(40);
  failures.set(7, serviceUnavailable('a statement took too long'));
  await Promise.all(payments.map((payment) => deliveries.store(payment)));
  const found = await statuses();
  expect(found.indexOf('settled')).toBe(6);
  expect(found.filter((status) => status === 'delivered')).toHaveLength(39);
  expect([warned, deliveries.tasks()]).toEqual([[7], []]);
});

it('two neighbouring rows that are locked keep no other delivery back', async () => {
  const payments = await settled(40);
  for (const id of [11, 12]) failures.set(id, serviceUnavailable('a statement took too long'));
  await Promise.all(payments.map((payment) => deliveries.store(payment)));
  expect((await statuses()).filter((status) => status === 'delivered')).toHaveLength(38);
  expect(warned).toEqual([11, 12]);
});

it('a table that another session has locked costs four tries, and all payments that wait stay settled', async () => {
  const payments = await settled(70);
  for (const { id } of payments) failures.set(id, serviceUnavailable('canceled by a time limit'));
  await Promise.all(payments.map((payment) => deliveries.store(payment)));
  expect(begun.map((ids) => ids.length)).toEqual([1, 1, 1, 1]);
  expect(new Set(await statuses())).toEqual(new Set(['settled']));
  expect(warned.length).toBe(70);
});

it('while the storage is away one transaction is tried, and all payments that wait stay settled', async () => {
  const payments = await settled(100);
  for (const { id } of payments) failures.set(id, serviceUnavailable('away'));
  isAway = true;
  await Promise.all(payments.map((payment) => deliveries.store(payment)));
  expect([begun.length, deliveries.tasks()]).toEqual([1, []]);
  expect(warned).toEqual(payments.map(({ id }) => id));
  expect(new Set(await statuses())).toEqual(new Set(['settled']));
});

it('a storage that goes away between two single tries is not tried for the rest of the batch', async () => {
  const payments = await settled(4);
  gate = createGate();
  const stored = payments.map((payment) => deliveries.store(payment));
  failures.set(3, serviceUnavailable('away'));
  gate.open();
  let pings = 0;
  storage.ping = () => ((pings += 1) === 1 ? Promise.resolve() : Promise.reject(serviceUnavailable('away')));
  await Promise.all(stored);
  expect(await statuses()).toEqual(['delivered', 'delivered', 'settled', 'settled']);
  expect([begun, warned]).toEqual([
    [[1], [2, 3], [2], [3]],
    [3, 4],
  ]);
});

it('a storage whose ping throws at once counts as away', async () => {
  const [one] = await settled(1);
  if (one === undefined) throw new Error('no payment');
  failures.set(1, new Error('this row is broken'));
  storage.ping = () => {
    throw new Error('not open');
  };
  await deliveries.store(one);
  expect([warned, deliveries.tasks()]).toEqual([[1], []]);
});
