/**
 * After the verification, a stranger submits the payer's authorization, so the facilitator refuses to settle. The
 * look-up sees the transfer, and the payer gets what was paid for.
 */
import { fakeFacilitator, type FakeFacilitator } from '../../testing';
import { startService, wallet, type Service } from '../http/support/service';
import { buy, DEPOSIT, paymentFor, send } from './support/calls';

const payer = wallet(897);
const TRANSACTION = `0x${'cd'.repeat(32)}`;

async function refusedWith(refusal: 'invalid' | 'insufficient_funds' | 'unavailable', isPaid: boolean) {
  const facilitator = fakeFacilitator();
  facilitator.settleWith(
    refusal === 'insufficient_funds' ? { status: refusal } : { status: refusal, reason: 'expired' },
  );
  if (isPaid) facilitator.lookupWith({ status: 'settled', transaction: TRANSACTION });
  const service = await startService({ facilitator });
  try {
    const { status } = await buy(service, payer, DEPOSIT);
    const { balance } = await service.pm.getAccount({ address: payer.address });
    const { payments } = await service.pm.listPayments();
    return { status, balance, payments, audit: await service.pm.audit() };
  } finally {
    await service.close();
  }
}

it.each(['invalid', 'insufficient_funds', 'unavailable'] as const)(
  'a payment that is refused as %s and has paid us is credited',
  async (refusal) => {
    expect(await refusedWith(refusal, true)).toMatchObject({ status: 201, balance: 25, audit: { ok: true } });
  },
);

it.each(['invalid', 'insufficient_funds'] as const)(
  'a payment that is refused as %s and has not paid us is rejected',
  async (refusal) => {
    expect(await refusedWith(refusal, false)).toMatchObject({ status: 402, balance: 0, audit: { ok: true } });
  },
);

it('a payment whose facilitator is away and that has not paid us can be presented again', async () => {
  expect(await refusedWith('unavailable', false)).toMatchObject({ status: 503, balance: 0, payments: [] });
});

const MINUTE_MS = 60_000;
const REFUSALS = ['invalid', 'insufficient_funds'] as const;

describe.each(REFUSALS)('a payment that is refused as %s while no look-up knows its fate', (refusal) => {
  let facilitator: FakeFacilitator;
  let service: Service;
  let headers: Record<string, string>;

  beforeEach(async () => {
    facilitator = fakeFacilitator();
    facilitator.settleWith(
      refusal === 'insufficient_funds' ? { status: refusal } : { status: refusal, reason: 'refused' },
    );
    facilitator.lookupWith({ status: 'unknown', reason: 'the block is not deep enough' });
    service = await startService({ facilitator });
    headers = await paymentFor(service, payer, DEPOSIT);
  });
  afterEach(() => service.close());

  async function runJobsAfter(ms: number) {
    service.clock.advance(ms);
    await service.pm.runJobs();
  }
  const statuses = async () => (await service.pm.listPayments()).payments.map(({ status }) => status);
  const balance = async () => (await service.pm.getAccount({ address: payer.address })).balance;
  const callsOf = (name: string) => facilitator.calls.filter(({ method }) => method === name).length;

  it('is a 402, and is credited if a look-up after the end of its authorization shows its transfer', async () => {
    const spentAt = Math.floor(service.clock.now() / 1000);
    expect((await send(service, DEPOSIT, headers)).status).toBe(402);
    facilitator.lookupWith({ status: 'settled', transaction: TRANSACTION, spentAt });
    await runJobsAfter(MINUTE_MS);
    expect(await statuses()).toEqual(['rejected']);
    await runJobsAfter(30 * MINUTE_MS);
    await service.pm.runJobs();
    expect(await balance()).toBe(25);
    expect((await send(service, DEPOSIT, headers)).status).toBe(201);
    expect(callsOf('settle')).toBe(1);
    expect(await service.pm.audit()).toMatchObject({ ok: true });
  });

  it('stays rejected after ten look-ups that do not know', async () => {
    expect((await send(service, DEPOSIT, headers)).status).toBe(402);
    for (let step = 0; step < 60; step += 1) await runJobsAfter(30 * MINUTE_MS);
    expect(await statuses()).toEqual(['rejected']);
    expect(callsOf('lookup')).toBe(11);
    expect((await send(service, DEPOSIT, headers)).status).toBe(402);
    expect(callsOf('settle')).toBe(1);
  });
});
