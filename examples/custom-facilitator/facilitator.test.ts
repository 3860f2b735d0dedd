/**
 * Runs the published suite of the facilitator port on `screenedFacilitator` around play money, and tests the
 * screening.
 */
import { describe, expect, it } from '@jest/globals';
import { developmentFacilitator } from 'express-prediction-market/facilitator/development';
import {
  facilitatorConformance,
  signedPayment,
  testClock,
  testWallet,
} from 'express-prediction-market/testing';
import { screenedFacilitator } from './facilitator.js';

const payer = testWallet('payer');
const pauper = testWallet('pauper');
const requirements = {
  amount: '1000',
  currency: 'USDC' as const,
  network: 'eip155:8453',
  payTo: '0x00000000000000000000000000000000000000aa',
  asset: '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913',
  assetName: 'USD Coin',
  assetVersion: '2',
  maxTimeoutSeconds: 300,
  resource: { url: 'http://localhost/feed', description: 'Snapshot', mimeType: 'application/json' },
};

function playMoney(clock = testClock(Date.now())) {
  const balances = { [payer.address]: 1_000_000n };
  return developmentFacilitator({ startingBalance: 0n, balances, clock, warn: () => undefined });
}

facilitatorConformance(
  { describe, it, expect },
  {
    create: async () => {
      const clock = testClock(Date.now());
      const inner = playMoney(clock);
      return {
        facilitator: screenedFacilitator({ inner, isBlocked: async () => false }),
        requirements,
        payer,
        pauper,
        now: () => clock.now(),
        moveClock: async (seconds) => clock.advance(seconds * 1000),
        received: async () => inner.balanceOf(requirements.payTo),
        looksUp: true,
        times: ['spentAt'], // play money has no chain, so no `asOf`
        secrets: false,
        stranger: async (payment) => {
          await inner.settle(payment, { ...requirements, payTo: payment.authorization.to });
        },
        // Play money runs in this process and not over HTTP. With `false`, the suite leaves out the tests that
        // need a service.
        another: false,
        loseAnswer: false,
        hold: false,
        garble: false,
        silence: false,
        failWith: false,
        redirect: false,
        cutOff: false,
        destroy: async () => undefined,
      };
    },
  },
);

describe('screening', () => {
  it.each([
    ['a blocked payer', async () => true, 'invalid'],
    ['a payer that cannot be screened', () => Promise.reject(new Error('down')), 'unavailable'],
  ])('%s is refused, and nothing is asked of the inner facilitator', async (_who, isBlocked, status) => {
    const inner = { ...playMoney(), verify: () => Promise.reject(new Error('was asked')) };
    const facilitator = screenedFacilitator({ inner, isBlocked });
    const payment = await signedPayment(payer, requirements, Date.now());
    expect(await facilitator.verify(payment, requirements)).toMatchObject({ status });
  });
});
