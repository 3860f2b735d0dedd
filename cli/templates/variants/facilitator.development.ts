import type { PredictionMarketOptions } from 'express-prediction-market';
import { developmentFacilitator } from 'express-prediction-market/facilitator/development';
import { developmentPayout } from 'express-prediction-market/payout/development';
import { ADDRESS, optionalAs } from './settings.ts';

type Payments = Pick<PredictionMarketOptions, 'facilitator' | 'payout' | 'payTo'>;

/** Every page says that the money has no value. */
export const playMoney = true;

/** Play money: signatures are checked, and no money moves. */
export function createPayments(): Payments {
  return {
    facilitator: developmentFacilitator(),
    payout: developmentPayout(),
    payTo: optionalAs('PAY_TO', ADDRESS) ?? '0x000000000000000000000000000000000000dEaD',
  };
}

/** Why no payment can be settled now. Always `null`, because play money needs no other service. */
export async function faultOfPayments(): Promise<string | null> {
  return null;
}
