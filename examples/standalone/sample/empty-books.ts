/** Makes sample markets in empty books of play money, for the command `sample` and the operators' page. */
import type { PredictionMarket } from 'express-prediction-market';
import { fundPlayTreasury } from '../play-money';
import { fillBooks, type Filled, type Filling } from './fill';

/**
 * The numbers of markets, creators and webhooks in the books, such as "12 markets, 3 creators". `null` if there are
 * none of them. Wallets with money do not count, because a newcomer may have taken play money before.
 */
export async function foundInBooks(market: PredictionMarket): Promise<string | null> {
  const one = { limit: 1 } as const;
  const found = Object.entries({
    markets: (await market.listMarkets(one)).total,
    creators: (await market.listCreators(one)).total,
    webhooks: (await market.listWebhooks(one)).total,
  }).filter(([, count]) => count > 0);
  return found.length === 0 ? null : found.map(([name, count]) => `${count} ${name}`).join(', ');
}

export const ONLY_EMPTY = 'sample markets go only into a database without markets, creators and webhooks';

/** Funds the treasury as the first start of a server does, fills the books, and checks them. */
export async function fillEmptyBooks(filling: Filling): Promise<Filled & { booksAgree: boolean }> {
  await fundPlayTreasury(filling.market);
  const filled = await fillBooks(filling);
  return { ...filled, booksAgree: (await filling.market.audit()).ok };
}
