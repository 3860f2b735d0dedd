import { describe, expect, it } from '@jest/globals'; // or from 'vitest'
import { developmentPayout } from 'express-prediction-market/payout/development';
import { payoutConformance, testWallet } from 'express-prediction-market/testing';

let id = 0;
function order() {
  id += 1;
  const to = testWallet(`payee ${id}`).address.toLowerCase();
  return {
    id,
    to,
    amount: 1_000_000n,
    network: 'eip155:8453',
    asset: '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913',
  };
}

payoutConformance(
  { describe, it, expect },
  {
    create: async () => ({
      payout: developmentPayout(),
      order,
      another: async () => developmentPayout(),
      // With play money no wallet receives anything, so these hooks do not apply. A real payout provides them.
      received: false,
      treasury: false,
      unpayable: false,
      stall: false,
      overtake: false,
      fail: false,
      hide: false,
      loseAnswer: false,
      cutOff: false,
      destroy: async () => undefined,
    }),
  },
);
