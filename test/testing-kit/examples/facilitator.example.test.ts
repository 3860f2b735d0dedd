import { developmentFacilitator } from 'express-prediction-market/facilitator/development';
import { facilitatorConformance, testClock, testWallet } from 'express-prediction-market/testing';

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

facilitatorConformance(
  { describe, it, expect },
  {
    create: async () => {
      const balances = { [payer.address]: 1_000_000n };
      const clock = testClock(Date.now());
      const facilitator = developmentFacilitator({
        startingBalance: 0n,
        balances,
        clock,
        warn: () => undefined,
      });
      return {
        facilitator,
        requirements,
        payer,
        pauper,
        now: () => clock.now(),
        moveClock: async (seconds) => clock.advance(seconds * 1000),
        received: async () => facilitator.balanceOf(requirements.payTo),
        looksUp: true,
        stranger: async (payment) => {
          await facilitator.settle(payment, { ...requirements, payTo: payment.authorization.to });
        },
        // Play money is in this process: there is no second facilitator, no answer to lose and no service to cut off.
        another: false,
        loseAnswer: false,
        cutOff: false,
        destroy: async () => undefined,
      };
    },
  },
);
