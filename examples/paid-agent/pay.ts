/** Pays with the published client of x402 version 2. */
import { ExactEvmScheme } from '@x402/evm';
import { wrapFetchWithPaymentFromConfig } from '@x402/fetch';
import { createClient, type PredictionMarketClient } from 'express-prediction-market/client';
import { privateKeyToAccount } from 'viem/accounts';

export function payingClient(baseUrl: string, privateKey: `0x${string}`): PredictionMarketClient {
  const scheme = new ExactEvmScheme(privateKeyToAccount(privateKey));
  return createClient({
    baseUrl,
    payWith: (fetch) =>
      wrapFetchWithPaymentFromConfig(fetch, {
        schemes: [{ network: 'eip155:8453', client: scheme }],
        spendControls: { maxAmountPerPayment: '$0.10' }, // no single call may cost more
      }),
  });
}
