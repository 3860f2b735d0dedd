import { developmentFacilitator } from '../../adapters/facilitator/development';
import { facilitatorConformance, signedPayment, testClock } from '../../testing';
import { REQUIREMENTS } from './support/requirements';
import { onPlayMoney, PAYER, playMoney } from './support/target';

describe('the development facilitator', () => {
  facilitatorConformance(
    { describe, it, expect },
    {
      create: async () => {
        const facilitator = playMoney();
        // Play money calls no service, so no answer and no connection can be lost.
        const absent = {
          another: false,
          loseAnswer: false,
          hold: false,
          garble: false,
          silence: false,
          failWith: false,
          redirect: false,
          cutOff: false,
        } as const;
        const destroy = async (): Promise<void> => undefined;
        const times = ['spentAt'] as const;
        return onPlayMoney(facilitator, {
          ...{ facilitator, looksUp: true, times, secrets: false, destroy },
          ...absent,
        });
      },
    },
  );

  it('says loudly that its money is imaginary', () => {
    const warnings: string[] = [];
    developmentFacilitator({ warn: (message) => void warnings.push(message) });
    expect(warnings).toEqual([expect.stringContaining('PLAY MONEY')]);
  });

  it('judges windows by the clock that it is given, and calls what has expired lost', async () => {
    const clock = testClock();
    const facilitator = developmentFacilitator({ clock, warn: () => undefined });
    const payment = await signedPayment(PAYER, REQUIREMENTS, clock.now());
    expect(await facilitator.verify(payment, REQUIREMENTS)).toEqual({ status: 'valid' });
    clock.advance(301_000);
    expect(await facilitator.verify(payment, REQUIREMENTS)).toEqual({ status: 'invalid', reason: 'expired' });
    expect((await facilitator.lookup(payment, REQUIREMENTS)).status).toBe('invalid');
  });

  it('takes no payment on one network for a payment on another', async () => {
    const facilitator = playMoney();
    const elsewhere = { ...REQUIREMENTS, network: 'eip155:1' };
    const payment = await signedPayment(PAYER, REQUIREMENTS, Date.now());
    expect((await facilitator.settle(payment, REQUIREMENTS)).status).toBe('settled');
    expect((await facilitator.lookup(payment, elsewhere)).status).toBe('unused');
  });

  it('takes no authorization that paid another recipient for a payment to us', async () => {
    const facilitator = playMoney();
    const elsewhere = { ...REQUIREMENTS, payTo: '0x00000000000000000000000000000000000000bb' };
    const payment = await signedPayment(PAYER, elsewhere, Date.now());
    expect((await facilitator.settle(payment, elsewhere)).status).toBe('settled');
    expect((await facilitator.lookup(payment, REQUIREMENTS)).status).toBe('invalid');
  });
});
