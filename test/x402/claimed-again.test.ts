/** A claim was deleted or lost, another request has its row, and a late worker goes on with what it remembers. */
import { memoryStorage } from '../../adapters/storage/memory';
import { systemClock } from '../../src/ports/clock';
import { silentLogger } from '../../src/ports/logger';
import type { NewPayment, Storage } from '../../src/ports/storage';
import type { PaymentRecord } from '../../src/domain/payments';
import { createPaymentDeliveries } from '../../src/usecases/payments/payment-deliveries';
import { dropClaim, takeStep } from '../../src/usecases/payments/payment-lease';
import { storeProof } from '../../src/usecases/payments/store-settlement';
import { samplePayment } from '../../testing/storage-conformance/samples';

const TRANSACTION = `0x${'5e'.repeat(32)}`;
const ANSWER = { status: 200, headers: {}, body: '"of the first request"' };

let storage: Storage;
beforeEach(async () => {
  storage = memoryStorage();
  await storage.open({ logger: silentLogger, clock: systemClock } as never);
});
afterEach(() => storage.close());

const first = samplePayment('again', { status: 'submitted', leaseToken: 1, answer: null });
const context = () => ({ storage, clock: systemClock, logger: silentLogger });

async function inserted(payment: NewPayment): Promise<PaymentRecord> {
  const record = await storage.transaction(({ payments }) => payments.insert(payment));
  if (record === null) throw new Error('it is claimed already');
  return record;
}

/** What the worker of the first claim remembers, after its row was deleted and `second` was claimed. */
async function claimedAgain(second: NewPayment): Promise<PaymentRecord> {
  const record = await inserted(first);
  await storage.transaction(({ payments }) => payments.delete(record.id));
  await inserted(second);
  return { ...record, answer: ANSWER };
}

const find = (payment: NewPayment) => storage.read(({ payments }) => payments.find(payment));

it('a settlement that is proven by the worker of a deleted claim gives no answer of its request to another one', async () => {
  const second = { ...first, fingerprint: 'ef'.repeat(32) };
  const record = await claimedAgain(second);
  const stored = await storeProof(context(), record, TRANSACTION);
  expect(stored).toMatchObject({ status: 'settled', fingerprint: second.fingerprint, answer: null });
  expect(stored.dueAt).not.toBeNull();
});

it('a settlement of a deleted claim pays for no claim of a larger amount, and is stored after the end of that claim', async () => {
  const larger = { ...first, amount: first.amount * 1_000n, fingerprint: 'ef'.repeat(32) };
  const record = await claimedAgain(larger);
  await expect(storeProof(context(), record, TRANSACTION)).rejects.toThrow('another amount');
  const claimed = await find(larger);
  expect(claimed).toMatchObject({ status: 'submitted', amount: larger.amount, transaction: null });
  await storage.transaction(({ payments }) => payments.delete(claimed?.id ?? NaN));
  await storeProof(context(), record, TRANSACTION);
  expect(await find(first)).toMatchObject({ status: 'settled', amount: first.amount, answer: ANSWER });
});

it('a settlement of a deleted claim takes the place of a rejected claim of another amount', async () => {
  const rejected = { ...first, amount: first.amount * 2n, status: 'rejected', dueAt: null } as const;
  const record = await claimedAgain(rejected);
  await storeProof(context(), record, TRANSACTION);
  expect(await find(first)).toMatchObject({ status: 'settled', amount: first.amount, answer: ANSWER });
});

it('a settlement that is proven after a rejection is worked on at once', async () => {
  const record = await inserted(first);
  const laterAt = systemClock.now() + 3_600_000;
  await storage.transaction(({ payments }) =>
    payments.update({ ...record, status: 'rejected', leaseUntil: 0, leaseToken: 2, dueAt: laterAt }),
  );
  const { status, dueAt } = await storeProof(context(), record, TRANSACTION);
  expect([status, (dueAt ?? laterAt) < laterAt]).toEqual(['settled', true]);
});

describe('if a database has lost a claim, and has given its id to the payment of another payer,', () => {
  const other = samplePayment('other', { status: 'submitted', leaseToken: 1 });

  async function taken(fields: Partial<NewPayment> = {}): Promise<{ lost: PaymentRecord; row: NewPayment }> {
    const row = { ...other, ...fields };
    const { id } = await inserted(row);
    return { lost: { ...first, status: row.status, id }, row };
  }

  it('a settlement of the lost claim is stored in a row of its own', async () => {
    const { lost, row } = await taken();
    await storeProof(context(), lost, TRANSACTION);
    expect(await find(row)).toMatchObject({ status: 'submitted', transaction: null });
    expect(await find(first)).toMatchObject({ status: 'settled', transaction: TRANSACTION });
  });

  it('the worker of the lost claim neither changes nor deletes the other payment', async () => {
    const { lost, row } = await taken();
    const before = await find(row);
    const steps = [await takeStep(context(), lost, (stored) => stored), await dropClaim(context(), lost)];
    expect(steps).toEqual([
      { taken: false, stored: null },
      { taken: false, stored: null },
    ]);
    expect(await find(row)).toEqual(before);
  });

  it('the worker of the lost claim changes no claim of another request for the same payment', async () => {
    const { lost, row } = await taken({ ...first, fingerprint: 'ef'.repeat(32) });
    const step = await takeStep(context(), lost, (stored) => ({ ...stored, answer: ANSWER }));
    expect(step).toEqual({ taken: false, stored: null });
    expect(await find(row)).toMatchObject({ answer: null });
  });

  it('the delivery of the lost claim leaves the answer to the other payer', async () => {
    const { lost, row } = await taken({ status: 'settled', answer: ANSWER });
    await createPaymentDeliveries(context() as never).store(lost);
    expect(await find(row)).toMatchObject({ status: 'settled', answer: ANSWER });
  });
});
