/**
 * After the verification, a stranger submits the payer's authorization, so the facilitator refuses to settle. The
 * look-up sees the transfer, and the payer gets what was paid for.
 */
import type { LookupResult } from '../../src/ports/facilitator';
import { fakeFacilitator } from '../../testing';
import { startService, wallet } from '../http/support/service';
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

const NOT_DEEP: LookupResult = {
  status: 'unknown',
  reason: 'settled in a block that is not deep enough yet',
};
const HOUR_MS = 3_600_000;

describe.each(['invalid', 'insufficient_funds', 'unavailable'] as const)(
  'a payment that is refused as %s while no look-up knows its fate',
  (refusal) => {
    async function presented() {
      const facilitator = fakeFacilitator();
      facilitator.settleWith(
        refusal === 'insufficient_funds' ? { status: refusal } : { status: refusal, reason: 'refused' },
      );
      facilitator.lookupWith(NOT_DEEP);
      const service = await startService({ facilitator, jobIntervalMs: 24 * HOUR_MS });
      const headers = await paymentFor(service, payer, DEPOSIT);
      const answers = [await send(service, DEPOSIT, headers)];
      const repeat = async () => answers.push(await send(service, DEPOSIT, headers));
      const runJobsAfter = async (ms: number) => {
        service.clock.advance(ms);
        await service.pm.runJobs();
      };
      const state = async () => ({
        codes: answers.map(({ status, body }) => (body as { code?: string }).code ?? status),
        statuses: (await service.pm.listPayments()).payments.map(({ status }) => status),
        balance: (await service.pm.getAccount({ address: payer.address })).balance,
        settles: facilitator.calls.filter(({ method }) => method === 'settle').length,
      });
      return { facilitator, service, repeat, runJobsAfter, state };
    }

    it('is credited when a look-up shows its transfer', async () => {
      const { facilitator, service, repeat, runJobsAfter, state } = await presented();
      try {
        const spentAt = Math.floor(service.clock.now() / 1000);
        facilitator.lookupWith({ status: 'settled', transaction: TRANSACTION, spentAt });
        await runJobsAfter(60_000);
        await repeat();
        expect(await state()).toEqual({
          codes: ['SETTLEMENT_PENDING', 201],
          statuses: ['delivered'],
          balance: 25,
          settles: 1,
        });
      } finally {
        await service.close();
      }
    });

    it('is not submitted again, and ends when a look-up shows that it is unused', async () => {
      const { facilitator, service, runJobsAfter, state } = await presented();
      try {
        facilitator.lookupWith({ status: 'unused' });
        await runJobsAfter(60_000);
        expect(await state()).toMatchObject({
          statuses: refusal === 'unavailable' ? [] : ['rejected'],
          settles: 1,
        });
      } finally {
        await service.close();
      }
    });

    it('ends some hours after its authorization if no look-up ever knows', async () => {
      const { facilitator, service, runJobsAfter, state } = await presented();
      try {
        for (let pause = 0; pause < 48; pause += 1) await runJobsAfter(HOUR_MS / 6);
        expect(await state()).toMatchObject({ statuses: ['submitted'], balance: 0 });
        expect(facilitator.calls.filter(({ method }) => method === 'lookup').length).toBeLessThan(18);
        await runJobsAfter(HOUR_MS);
        expect(await state()).toMatchObject({
          statuses: refusal === 'unavailable' ? [] : ['rejected'],
          settles: 1,
        });
      } finally {
        await service.close();
      }
    });
  },
);
