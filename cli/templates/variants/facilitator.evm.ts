import type { PredictionMarketOptions } from 'express-prediction-market';
import { evmFacilitator } from 'express-prediction-market/facilitator/evm';
import { evmPayout } from 'express-prediction-market/payout/evm';
import { ADDRESS, faultOf, HTTP_URL, optionalAs, PRIVATE_KEY, required } from './settings.ts';

type Payments = Pick<PredictionMarketOptions, 'facilitator' | 'payout' | 'payTo'>;

/** The payments are real, and so is the money on the pages. */
export const playMoney = false;

/**
 * This server settles payments through a node, and the settler's address pays for gas. TREASURY_PRIVATE_KEY, which
 * must be another key, signs withdrawals. Without TREASURY_PRIVATE_KEY, withdrawals are refused.
 */
export function createPayments(): Payments {
  const rpcUrl = required('RPC_URL', HTTP_URL);
  const privateKey = required('SETTLER_PRIVATE_KEY', PRIVATE_KEY);
  const payTo = required('PAY_TO', ADDRESS);
  const treasuryKey = optionalAs('TREASURY_PRIVATE_KEY', PRIVATE_KEY);
  return {
    facilitator: evmFacilitator({ rpcUrl, privateKey }),
    ...(treasuryKey !== undefined && { payout: evmPayout({ rpcUrl, privateKey: treasuryKey }) }),
    payTo,
  };
}

/** Why no payment can be settled now. `null`: the node answers. */
export async function faultOfPayments(): Promise<string | null> {
  return faultOf('RPC_URL', required('RPC_URL', HTTP_URL), {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] }),
  });
}
