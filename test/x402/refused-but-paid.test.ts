/**
 * After the verification, a stranger submits the payer's authorization, so the facilitator refuses to settle. The
 * look-up sees the transfer, and the payer gets what was paid for.
 */
import { fakeFacilitator } from '../../testing';
import { startService, wallet } from '../http/support/service';
import { buy, DEPOSIT } from './support/calls';

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
