import type { PaymentRequirements } from '../../../src/ports/facilitator';

/** The price of the market feed: 0.001 USDC on Base. */
export const REQUIREMENTS: PaymentRequirements = {
  amount: '1000',
  currency: 'USDC',
  network: 'eip155:8453',
  payTo: '0x00000000000000000000000000000000000000aa',
  asset: '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913',
  assetName: 'USD Coin',
  assetVersion: '2',
  maxTimeoutSeconds: 300,
  resource: {
    url: 'http://127.0.0.1/api/v2/x402/feed',
    description: 'Snapshot of the markets',
    mimeType: 'application/json',
  },
};
