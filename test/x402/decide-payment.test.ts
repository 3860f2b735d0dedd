import { jest } from '@jest/globals';
import type { Response } from 'supertest';
import type { LookupResult } from '../../src/ports/facilitator';
import { fakeFacilitator, type FakeFacilitator } from '../../testing/fake-facilitator';
import { startService, wallet, OPS, type Service } from '../http/support/service';
import { DEPOSIT, FEED, MARKETS, ORACLE, paymentFor, send, type PaidCall } from './support/calls';
import { until } from '../support/until';

const payer = wallet(861);
const DAY_MS = 86_400_000;
const KEPT_MS = 31 * DAY_MS;
const TRANSACTION = `0x${'5e'.repeat(32)}`;
const OTHER = `0x${'07'.repeat(32)}`;
const REASON = 'Seen on the explorer, block 4711.';

let facilitator: FakeFacilitator;
let service: Service;

beforeEach(async () => {
  facilitator = fakeFacilitator();
  facilitator.settleWith({ status: 'unknown', reason: 'time-out' });
  facilitator.lookupWith({ status: 'unknown', reason: 'there is no chain to ask' });
  service = await startService({ facilitator, jobIntervalMs: DAY_MS });
  await service.approve(payer);
});
afterEach(() => service.close());

interface Submitted {
  id: number;
  again(): Promise<Response>;
}

async function submitted(call: PaidCall): Promise<Submitted> {
  const body = call.body?.(service);
  const request: PaidCall = { ...call, ...(body !== undefined && { body: () => body }) };
  const headers = await paymentFor(service, payer, request);
  expect((await send(service, request, headers)).body).toMatchObject({ code: 'SETTLEMENT_PENDING' });
  const { payments } = await service.pm.listPayments({ status: 'submitted' });
  return { id: payments[0]?.id ?? NaN, again: () => send(service, request, headers) };
}

const decide = (id: number | string, verb: 'confirm' | 'reject', body: unknown): Promise<Response> =>
  service.call('post', `${OPS}/payments/${id}/${verb}`, { body });
const balance = async (): Promise<number> =>
  (await service.pm.getAccount({ address: payer.address })).balance;

it('a submitted payment counts as one on which work is left, until it is decided', async () => {
  expect(await service.pm.paymentBacklog()).toEqual([]);
  const { id, again } = await submitted(DEPOSIT);
  service.clock.advance(90_000);
  expect(await service.pm.paymentBacklog()).toEqual([{ status: 'submitted', count: 1, oldestSeconds: 90 }]);
  await decide(id, 'confirm', { transaction: TRANSACTION, reason: REASON });
  await again();
  await until(async () => (await service.pm.paymentBacklog()).length === 0);
});

it.each([DEPOSIT, MARKETS, FEED])(
  'a payment for $name that is confirmed is run once and answered',
  async (call) => {
    const { id, again } = await submitted(call);
    const confirmed = await decide(id, 'confirm', { transaction: TRANSACTION, reason: REASON });
    expect(confirmed.status).toBe(200);
    expect(confirmed.body).toMatchObject({
      id,
      status: 'settled',
      transaction: TRANSACTION,
      reason: null,
      decision: { verdict: 'confirmed', reason: REASON },
    });
    expect(await balance()).toBe(call === DEPOSIT ? 25 : 0);
    expect((await service.pm.listMarkets()).total).toBe(Number(call === MARKETS));
    expect((await again()).status).toBe(call.status);
    await until(async () => (await service.pm.listPayments()).payments[0]?.status === 'delivered');
    expect((await again()).status).toBe(402);
    expect((await decide(id, 'confirm', { reason: 'Once more.' })).body).toMatchObject({
      status: 'delivered',
      decision: { reason: REASON },
    });
    expect((await service.pm.listMarkets()).total).toBe(Number(call === MARKETS));
    expect(await service.pm.audit()).toMatchObject({ ok: true });
  },
);

it("a payment that is confirmed keeps the oracle's answer for its payer", async () => {
  const { id, again } = await submitted(ORACLE);
  await service.pm.confirmPayment({ id, reason: REASON });
  expect((await again()).status).toBe(200);
});

it('a payment that is rejected is refused, and the decision outlives the pruning', async () => {
  const { id, again } = await submitted(DEPOSIT);
  const rejected = await service.pm.rejectPayment({ id, reason: REASON });
  expect(rejected).toMatchObject({ status: 'rejected', decision: { verdict: 'rejected', reason: REASON } });
  expect((await again()).body).toMatchObject({ code: 'PAYMENT_INVALID' });
  service.clock.advance(KEPT_MS);
  await service.pm.runJobs();
  expect((await service.pm.listPayments()).payments).toMatchObject([{ id, decision: { reason: REASON } }]);
  expect(await balance()).toBe(0);
});

describe('a payment that its facilitator shows as settled', () => {
  const since = (ms: number) => Math.floor((service.clock.now() + ms) / 1000);

  it('is not rejected by an operator: its worker has died, and the reconciliation credits it', async () => {
    const { id, again } = await submitted(DEPOSIT);
    facilitator.lookupWith({ status: 'settled', transaction: TRANSACTION, spentAt: since(0) });
    const refused = await decide(id, 'reject', { reason: REASON });
    expect([refused.status, refused.body.code]).toEqual([409, 'ALREADY_RESOLVED']);
    expect((await service.pm.listPayments()).payments).toMatchObject([
      { status: 'settled', transaction: TRANSACTION, decision: null },
    ]);
    service.clock.advance(DAY_MS);
    await service.pm.runJobs();
    expect([await balance(), (await again()).status]).toEqual([25, 201]);
  });

  it('is credited also if no later look-up finds the settlement, such as that of a service without a node', async () => {
    const { id, again } = await submitted(DEPOSIT);
    facilitator.lookupWith({ status: 'settled', transaction: TRANSACTION, spentAt: since(0) });
    expect((await decide(id, 'reject', { reason: REASON })).status).toBe(409);
    facilitator.lookupWith({ status: 'unknown', reason: 'nonce_already_used' });
    const refused = await decide(id, 'reject', { reason: REASON });
    expect([refused.status, refused.body.code]).toEqual([409, 'ALREADY_RESOLVED']);
    await service.pm.runJobs();
    expect([await balance(), (await again()).status]).toEqual([25, 201]);
    expect(await service.pm.audit()).toMatchObject({ ok: true });
  });

  it('can be rejected if it was spent before it was presented here, as no job ends it', async () => {
    const { id } = await submitted(DEPOSIT);
    facilitator.lookupWith({ status: 'settled', transaction: TRANSACTION, spentAt: since(-60_000) });
    service.clock.advance(DAY_MS);
    await service.pm.runJobs();
    expect((await decide(id, 'reject', { reason: REASON })).body).toMatchObject({ status: 'rejected' });
  });
});

describe('a payment that is rejected before its authorization has ended', () => {
  // `paymentFor` signs for 300 seconds, and a block may show the transfer two minutes later.
  const ENDED_MS = 421_000;
  const NEXT_LOOK_MS = 61_000;

  async function afterJobs(ms: number): Promise<void> {
    service.clock.advance(ms);
    await service.pm.runJobs();
  }

  it('is credited if its transfer was mined after the rejection', async () => {
    const spentAt = service.clock.now() / 1000 + 60;
    const { id, again } = await submitted(DEPOSIT);
    await decide(id, 'reject', { reason: REASON });
    facilitator.lookupWith({ status: 'settled', transaction: TRANSACTION, spentAt });
    await afterJobs(ENDED_MS - 2_000);
    expect((await service.pm.listPayments()).payments).toMatchObject([{ status: 'rejected' }]);
    await afterJobs(2_000);
    await afterJobs(NEXT_LOOK_MS);
    expect((await service.pm.listPayments()).payments).toMatchObject([
      { status: 'settled', transaction: TRANSACTION, decision: { verdict: 'rejected' } },
    ]);
    expect(await balance()).toBe(25);
    expect((await again()).status).toBe(201);
    expect(await balance()).toBe(25);
  });

  it.each<[string, LookupResult, looks: number]>([
    ['cannot look it up', { status: 'unknown', reason: 'there is no chain to ask' }, 10],
    ['shows it as unused', { status: 'unused' }, 1],
    ['shows that it will never pay', { status: 'invalid', reason: 'cancelled' }, 1],
    ['shows that it was spent before', { status: 'settled', transaction: OTHER, spentAt: 1 }, 1],
  ])('stays rejected if the facilitator %s', async (_case, found, looks) => {
    const { id, again } = await submitted(DEPOSIT);
    await decide(id, 'reject', { reason: REASON });
    const lookup = jest.spyOn(facilitator, 'lookup');
    facilitator.lookupWith(found);
    await afterJobs(ENDED_MS);
    for (let look = 0; look < 12; look += 1) await afterJobs(NEXT_LOOK_MS * 2 ** look);
    expect(lookup).toHaveBeenCalledTimes(looks);
    expect((await again()).status).toBe(402);
    expect(await balance()).toBe(0);
  });

  it('is not looked up again if its authorization had ended before the rejection', async () => {
    const { id } = await submitted(DEPOSIT);
    service.clock.advance(ENDED_MS);
    await decide(id, 'reject', { reason: REASON });
    const lookup = jest.spyOn(facilitator, 'lookup');
    for (let minute = 0; minute < 3; minute += 1) await afterJobs(NEXT_LOOK_MS);
    expect(lookup).not.toHaveBeenCalled();
  });
});

it('a payment can be rejected if the adapter of the facilitator answers a look-up with nothing', async () => {
  const { id } = await submitted(DEPOSIT);
  facilitator.lookup = async () => undefined as never;
  expect((await decide(id, 'reject', { reason: REASON })).body).toMatchObject({ status: 'rejected' });
});

it('a decision stands, and the opposite one is a 409 that changes nothing', async () => {
  const [paid, lost] = [await submitted(DEPOSIT), await submitted(FEED)];
  await decide(paid.id, 'confirm', { transaction: TRANSACTION, reason: REASON });
  await decide(lost.id, 'reject', { reason: REASON });
  const before = await service.pm.listPayments();
  for (const answer of [
    await decide(paid.id, 'reject', { reason: 'No.' }),
    await decide(paid.id, 'confirm', { transaction: OTHER, reason: 'By another one.' }),
    await decide(lost.id, 'confirm', { reason: 'Yes.' }),
  ])
    expect([answer.status, answer.body]).toEqual([
      409,
      expect.objectContaining({ code: 'ALREADY_RESOLVED' }),
    ]);
  expect(await service.pm.listPayments()).toEqual(before);
});

it('the work that is under way when the operator decides changes nothing any more', async () => {
  const { id, again } = await submitted(DEPOSIT);
  let answer: (() => void) | null = null;
  facilitator.lookup = () =>
    new Promise((resolve) => {
      answer = () => resolve({ status: 'invalid', reason: 'cancelled' });
    });
  service.clock.advance(DAY_MS);
  const job = service.pm.runJobs();
  await until(() => answer !== null);
  await decide(id, 'confirm', { reason: REASON });
  (answer as unknown as () => void)();
  await job;
  expect((await service.pm.listPayments()).payments).toMatchObject([{ status: 'settled' }]);
  expect([(await again()).status, await balance()]).toEqual([201, 25]);
});

it.each([
  ['no reason', {}],
  ['an empty reason', { reason: ' ' }],
  ['a transaction that is no hash', { reason: REASON, transaction: '0x1' }],
  ['an unknown key', { reason: REASON, verdict: 'confirmed' }],
])('a decision with %s is a 400 that changes nothing', async (_name, body) => {
  const { id } = await submitted(FEED);
  expect((await decide(id, 'confirm', body)).status).toBe(400);
  expect((await service.pm.listPayments()).payments).toMatchObject([{ status: 'submitted', decision: null }]);
});

it.each([99, 'x', 0])('a decision about the payment %s is a 404', async (id) => {
  expect((await decide(id, 'reject', { reason: REASON })).body).toMatchObject({ code: 'NOT_FOUND' });
});
