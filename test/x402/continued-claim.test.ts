/**
 * A worker has died, perhaps after it submitted a payment. When the payer repeats the request, `verify` may refuse the
 * payment although it has paid us, so the look-up decides.
 */
import { memoryStorage } from '../../adapters/storage/memory';
import { fakeFacilitator, type FakeFacilitator } from '../../testing/fake-facilitator';
import type { LookupResult, SettleResult, VerifyResult } from '../../src/ports/facilitator';
import type { Storage } from '../../src/ports/storage';
import { samplePayment } from '../../testing/storage-conformance/samples';
import { startService, wallet, type Service } from '../http/support/service';
import { DEPOSIT, ORACLE, paymentFor, send } from './support/calls';
import { fakeOracle, type FakeOracle } from '../../testing/fake-oracle';

const DAY_MS = 86_400_000;
const HALF_HOUR_MS = 1_800_000;
const payer = wallet(869);
const TRANSACTION = `0x${'ab'.repeat(32)}`;
const REFUSALS: VerifyResult[] = [{ status: 'invalid', reason: 'expired' }, { status: 'insufficient_funds' }];

let storage: Storage;
let facilitator: FakeFacilitator;
let service: Service;
let oracle: FakeOracle;

beforeEach(async () => {
  storage = memoryStorage();
  facilitator = fakeFacilitator();
  oracle = fakeOracle();
  service = await startService({ storage, facilitator, oracle, jobIntervalMs: DAY_MS });
});
afterEach(() => service.close());

/**
 * Sends a payment, and then sets its row back to `claimed`, as if the database had lost its newest commits. Returns a
 * function that sends the payment again.
 */
async function leftBehind(call = DEPOSIT): Promise<() => Promise<string>> {
  facilitator.settleWith({ status: 'unknown', reason: 'no answer' });
  facilitator.lookupWith({ status: 'unknown', reason: 'no node' });
  const headers = await paymentFor(service, payer, call);
  expect((await send(service, call, headers)).status).toBe(503);
  await storage.transaction(async (transaction) => {
    const [listed] = await transaction.payments.list({ limit: 1, offset: 0 });
    const payment = listed === undefined ? null : await transaction.payments.lock(listed.id);
    if (payment === null) throw new Error('there is no payment');
    const lost = { status: 'claimed', answer: null, reason: null, attempts: 0, leaseUntil: 0 } as const;
    await transaction.payments.update({ ...payment, ...lost });
  });
  return async () => {
    const { status, body } = await send(service, call, headers);
    return `${status} ${(body as { code?: string }).code ?? ''}`;
  };
}

const balance = async (): Promise<number> =>
  (await service.pm.getAccount({ address: payer.address })).balance;
const status = async (): Promise<string | undefined> => (await service.pm.listPayments()).payments[0]?.status;
const paidAt = (time: number): LookupResult => ({
  status: 'settled',
  transaction: TRANSACTION,
  spentAt: Math.floor(time / 1000),
});

async function isCreditedByTheJob(again: () => Promise<string>): Promise<void> {
  service.clock.advance(60_000);
  await service.pm.runJobs();
  expect([await balance(), await status()]).toEqual([25, 'settled']);
  expect(await again()).toBe('201 ');
  expect(await service.pm.audit()).toMatchObject({ ok: true });
}

describe.each(REFUSALS)('a continued payment that the verification refuses as $status', (refusal) => {
  it('is credited when the look-up finds that it has paid us', async () => {
    const presentedAt = service.clock.now();
    const again = await leftBehind();
    service.clock.advance(HALF_HOUR_MS);
    facilitator.verifyWith(refusal);
    facilitator.lookupWith(paidAt(presentedAt + 2_000));
    expect(await again()).toBe('201 ');
    expect([await balance(), await status()]).toEqual([25, 'delivered']);
    expect(await service.pm.audit()).toMatchObject({ ok: true });
  });

  it('gets the answer of the oracle when it has paid us', async () => {
    const presentedAt = service.clock.now();
    const again = await leftBehind(ORACLE);
    service.clock.advance(HALF_HOUR_MS);
    facilitator.verifyWith(refusal);
    facilitator.lookupWith(paidAt(presentedAt + 2_000));
    expect(await again()).toBe('200 ');
  });

  it.each<LookupResult>([{ status: 'unused' }, { status: 'invalid', reason: 'cancelled' }])(
    'is rejected when the look-up says $status',
    async (found) => {
      const again = await leftBehind();
      service.clock.advance(HALF_HOUR_MS);
      facilitator.verifyWith(refusal);
      facilitator.lookupWith(found);
      expect(await again()).toMatch(/^402 /);
      expect([await balance(), await status()]).toEqual([0, 'rejected']);
    },
  );

  it.each([false, true])(
    'is kept while it is unused and could still be spent (a chain was asked: %s)',
    async (isOfChain) => {
      const presentedAt = service.clock.now();
      const again = await leftBehind();
      facilitator.verifyWith(refusal);
      if (isOfChain) service.clock.advance(HALF_HOUR_MS);
      const asOf = Math.floor(presentedAt / 1000) + 4;
      facilitator.lookupWith({ status: 'unused', ...(isOfChain && { asOf }) });
      expect(await again()).toBe('503 SETTLEMENT_PENDING');
      expect([await balance(), await status()]).toEqual([0, 'claimed']);
      facilitator.lookupWith(paidAt(presentedAt + 10_000));
      await isCreditedByTheJob(again);
    },
  );

  it('is rejected when it was spent before it was presented', async () => {
    const presentedAt = service.clock.now();
    const again = await leftBehind();
    facilitator.verifyWith(refusal);
    facilitator.lookupWith(paidAt(presentedAt - 60_000));
    expect(await again()).toMatch(/^402 /);
    expect(await balance()).toBe(0);
  });

  it.each<LookupResult>([
    { status: 'unknown', reason: 'no node' },
    { status: 'settled', transaction: TRANSACTION },
  ])('stays unknown while the look-up says $status without a time, and is not forgotten', async (found) => {
    const presentedAt = service.clock.now();
    const again = await leftBehind();
    service.clock.advance(HALF_HOUR_MS);
    facilitator.verifyWith(refusal);
    facilitator.lookupWith(found);
    expect(await again()).toBe('503 SETTLEMENT_PENDING');
    for (let round = 0; round < 3; round += 1) {
      service.clock.advance(HALF_HOUR_MS);
      await service.pm.runJobs();
    }
    expect([await balance(), await status()]).toEqual([0, 'claimed']);
    facilitator.lookupWith(paidAt(presentedAt + 2_000));
    service.clock.advance(HALF_HOUR_MS);
    await service.pm.runJobs();
    expect([await balance(), await status()]).toEqual([25, 'settled']);
    expect(await again()).toBe('201 ');
    expect(await service.pm.audit()).toMatchObject({ ok: true });
  });
});

it.each<SettleResult>([
  { status: 'unavailable', reason: 'no connection' },
  { status: 'invalid', reason: 'expired' },
  { status: 'insufficient_funds' },
])(
  'a continued payment whose second submission is $status is credited when the first one is mined',
  async (refusal) => {
    const presentedAt = service.clock.now();
    const again = await leftBehind();
    facilitator.verifyWith({ status: 'valid' });
    facilitator.settleWith(refusal);
    expect(await again()).toBe('503 SETTLEMENT_PENDING');
    facilitator.lookupWith(paidAt(presentedAt + 2_000));
    await isCreditedByTheJob(again);
  },
);

describe('a continued payment that cannot go on now keeps the time of its claim', () => {
  async function isKept(again: () => Promise<string>, presentedAt: number, call = DEPOSIT): Promise<void> {
    expect(await again()).toBe('503 SETTLEMENT_PENDING');
    expect(await status()).toBe('claimed');
    facilitator.verifyWith({ status: 'spent', reason: 'used' });
    facilitator.lookupWith(paidAt(presentedAt + 2_000));
    oracle.answer('YES');
    service.clock.advance(60_000);
    expect(await again()).toBe(`${call.status} `);
    expect(await status()).toBe('delivered');
  }

  it('while the facilitator is away', async () => {
    const presentedAt = service.clock.now();
    const again = await leftBehind();
    facilitator.verifyWith({ status: 'unavailable', reason: 'no answer' });
    await isKept(again, presentedAt);
    expect([await balance(), (await service.pm.audit()).ok]).toEqual([25, true]);
  });

  it('while the oracle is away', async () => {
    const presentedAt = service.clock.now();
    const again = await leftBehind(ORACLE);
    service.clock.advance(HALF_HOUR_MS);
    facilitator.verifyWith({ status: 'valid' });
    oracle.fail();
    await isKept(again, presentedAt, ORACLE);
  });
});

describe.each([DEPOSIT, ORACLE])('a continued payment for $name that stays unknown', (call) => {
  async function stuck(): Promise<() => Promise<string>> {
    const again = await leftBehind(call);
    service.clock.advance(HALF_HOUR_MS);
    facilitator.verifyWith({ status: 'invalid', reason: 'expired' });
    expect(await again()).toBe('503 SETTLEMENT_PENDING');
    return again;
  }

  it('is served when an operator confirms it', async () => {
    const again = await stuck();
    await service.pm.confirmPayment({ id: 1, transaction: TRANSACTION, reason: 'seen on the chain' });
    expect(await again()).toBe(`${call.status} `);
    expect([await balance(), await status()]).toEqual([call === DEPOSIT ? 25 : 0, 'delivered']);
  });

  it('is rejected when an operator rejects it', async () => {
    const again = await stuck();
    await service.pm.rejectPayment({ id: 1, reason: 'never seen' });
    expect(await again()).toMatch(/^402 /);
    expect([await balance(), await status()]).toEqual([0, 'rejected']);
  });
});

it('a claim in work is not decided by an operator', async () => {
  await storage.transaction(async (transaction) => {
    await transaction.payments.insert(samplePayment('in work', { status: 'claimed', attempts: 0 }));
  });
  await expect(service.pm.rejectPayment({ id: 1, reason: 'too early' })).rejects.toMatchObject({
    code: 'ALREADY_RESOLVED',
  });
});

it('a paid question that the oracle does not answer keeps its claim, and is answered later', async () => {
  const presentedAt = service.clock.now();
  facilitator.verifyWith({ status: 'spent', reason: 'used' });
  facilitator.lookupWith(paidAt(presentedAt));
  oracle.fail();
  const headers = await paymentFor(service, payer, ORACLE);
  expect((await send(service, ORACLE, headers)).body).toMatchObject({ code: 'SETTLEMENT_PENDING' });
  service.clock.advance(HALF_HOUR_MS);
  await service.pm.runJobs();
  expect(await status()).toBe('claimed');
  oracle.answer('YES');
  service.clock.advance(HALF_HOUR_MS);
  await service.pm.runJobs();
  expect(await status()).toBe('settled');
  expect((await send(service, ORACLE, headers)).status).toBe(200);
});

describe('a paid question whose money has come and whose oracle is away', () => {
  async function paidWithoutAnswer() {
    const presentedAt = service.clock.now();
    facilitator.verifyWith({ status: 'spent', reason: 'used' });
    facilitator.lookupWith(paidAt(presentedAt));
    oracle.fail();
    const headers = await paymentFor(service, payer, ORACLE);
    expect((await send(service, ORACLE, headers)).body).toMatchObject({ code: 'SETTLEMENT_PENDING' });
    // The node has no logs of this age any more.
    facilitator.lookupWith({ status: 'unknown', reason: 'its transaction was not found' });
    return () => send(service, ORACLE, headers);
  }

  it('is answered although no later look-up finds the transfer', async () => {
    const again = await paidWithoutAnswer();
    service.clock.advance(HALF_HOUR_MS);
    await service.pm.runJobs();
    expect(await status()).toBe('claimed');
    oracle.answer('YES');
    service.clock.advance(HALF_HOUR_MS);
    await service.pm.runJobs();
    expect((await again()).status).toBe(200);
    expect((await service.pm.listPayments()).payments).toMatchObject([{ transaction: TRANSACTION }]);
  });

  it('is not rejected by an operator, and keeps its transaction when it is confirmed', async () => {
    const again = await paidWithoutAnswer();
    service.clock.advance(HALF_HOUR_MS);
    await expect(service.pm.rejectPayment({ id: 1, reason: 'never seen' })).rejects.toMatchObject({
      code: 'ALREADY_RESOLVED',
    });
    const other = { id: 1, reason: 'paid back', transaction: `0x${'07'.repeat(32)}` };
    await expect(service.pm.rejectPayment(other)).rejects.toMatchObject({ code: 'ALREADY_RESOLVED' });
    oracle.answer('YES');
    await service.pm.confirmPayment({ id: 1, reason: 'seen' });
    expect((await again()).status).toBe(200);
    expect((await service.pm.listPayments()).payments).toMatchObject([{ transaction: TRANSACTION }]);
  });
});

it('a first payment that the verification refuses is rejected without a look-up', async () => {
  facilitator.verifyWith({ status: 'invalid', reason: 'expired' });
  const headers = await paymentFor(service, payer, DEPOSIT);
  expect((await send(service, DEPOSIT, headers)).status).toBe(402);
  expect(facilitator.calls.map(({ method }) => method)).toEqual(['verify']);
});
