import type { PredictionMarketOptions } from 'express-prediction-market';
import { httpFacilitator } from 'express-prediction-market/facilitator/http';
import { ADDRESS, faultOf, HTTP_URL, required } from './settings.ts';

type Payments = Pick<PredictionMarketOptions, 'facilitator' | 'payout' | 'payTo'>;

/** The payments are real, and so is the money on the pages. */
export const playMoney = false;

/** A service that speaks the x402 protocol settles payments. Withdrawals are refused until you add a payout. */
export function createPayments(): Payments {
  const url = required('FACILITATOR_URL', HTTP_URL);
  const payTo = required('PAY_TO', ADDRESS);
  return { facilitator: httpFacilitator({ url }), payTo };
}

/** Why no payment can be settled now. `null`: the facilitator answers. */
export async function faultOfPayments(): Promise<string | null> {
  const url = required('FACILITATOR_URL', HTTP_URL).replace(/\/+$/, '');
  return faultOf('FACILITATOR_URL', `${url}/supported`);
}
