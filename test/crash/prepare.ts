import type { PredictionMarket } from 'express-prediction-market';
import { CRASH_CREATOR } from './wallets';

/** Safe to repeat: after a crash the next process calls this function again. */
export async function prepareMarkets(
  pm: PredictionMarket,
  wallets: readonly string[],
  count = 2,
): Promise<number[]> {
  await pm.approveCreator({ address: CRASH_CREATOR });
  for (const address of wallets)
    await pm.deposit({ address, amount: 100_000, reference: `crash-${address}` });
  const existing = await pm.listMarkets({ limit: count, sort: 'created_desc' });
  const markets = existing.markets.map((market) => market.id);
  while (markets.length < count) {
    const market = await pm.createMarket({
      creator: CRASH_CREATOR,
      question: 'Does an acknowledged trade outlive its process?',
      resolutionCriteria: 'It does.',
      resolveDate: new Date(Date.now() + 48 * 3_600_000).toISOString(),
      category: 'other',
    });
    markets.push(market.id);
  }
  return markets.sort((a, b) => a - b);
}
