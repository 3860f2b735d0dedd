/**
 * Only for play money: gives the house a treasury. Without it, withdrawals would wait after the first loss of the
 * house.
 */
import type { PredictionMarket } from 'express-prediction-market';
import { PLAY_TREASURY_REFERENCE } from 'express-prediction-market/facilitator/development';

export const PLAY_TREASURY_USD = 10_000;
type House = Pick<PredictionMarket, 'audit' | 'depositToTreasury' | 'getTreasury' | 'listMarkets'>;

/**
 * Puts the sum into the treasury if the books are empty. Other books stay as they are: they may be the books of
 * a real market, whose settings are missing by mistake.
 */
export async function fundPlayTreasury(market: House): Promise<void> {
  if ((await market.listMarkets({ limit: 1 })).total > 0) return;
  if ((await market.getTreasury()).balance !== 0) return;
  if ((await market.audit()).checked.entries > 0) return;
  await market.depositToTreasury({ amount: PLAY_TREASURY_USD, reference: PLAY_TREASURY_REFERENCE });
}
