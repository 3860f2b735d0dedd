import type { PredictionMarketOptions } from 'express-prediction-market';
import { evmFacilitator } from 'express-prediction-market/facilitator/evm';
import { evmPayout } from 'express-prediction-market/payout/evm';
import { optional, required } from './settings.ts';

type Payments = Pick<PredictionMarketOptions, 'facilitator' | 'payout' | 'payTo'>;

/** The payments are real, and so is the money on the pages. */
export const playMoney = false;

/**
 * This server settles payments through a node, and the settler's address pays for gas. Withdrawals are paid by
 * TREASURY_PRIVATE_KEY, which must be another key. Without it they are refused.
 */
export function createPayments(): Payments {
  const rpcUrl = required('RPC_URL');
  const treasuryKey = optional('TREASURY_PRIVATE_KEY');
  return {
    facilitator: evmFacilitator({ rpcUrl, privateKey: required('SETTLER_PRIVATE_KEY') }),
    ...(treasuryKey !== undefined && { payout: evmPayout({ rpcUrl, privateKey: treasuryKey }) }),
    payTo: required('PAY_TO'),
  };
}
