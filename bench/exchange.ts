/**
 * A service for the benches, with funded wallets and open markets, and orders that keep the price near the middle.
 */
import { createPredictionMarket, type PredictionMarket, type Storage } from 'express-prediction-market';
import { developmentFacilitator } from 'express-prediction-market/facilitator/development';
import { manualOracle } from 'express-prediction-market/oracle/manual';
import { resolveOptions } from '../src/config';
import type { PlaceTradeCommand } from '../src/usecases/commands';
import type { Context } from '../src/usecases/context';
import { createAlarms } from '../src/usecases/alarms';
import { createOracleAnswerCache } from '../src/usecases/resolution/oracle-answer-cache';
import { createMarketLookup } from '../src/usecases/markets/market-lookup';

const HOUR_MS = 3_600_000;
const CREATOR = `0x${'c'.repeat(40)}`;
const OPTIONS = {
  oracle: manualOracle(),
  facilitator: developmentFacilitator({ warn: () => undefined }),
  payTo: CREATOR,
  keyRateLimit: 1_000_000,
  addressRateLimit: 1_000_000,
  liquidityParameter: 100_000,
  exposureLimit: 1_000_000_000,
};

export const walletOf = (index: number): string => `0x${(index + 1).toString(16).padStart(40, '0')}`;

export interface Exchange {
  pm: PredictionMarket;
  markets: number[];
}

export function createExchange(storage: Storage): PredictionMarket {
  return createPredictionMarket({ ...OPTIONS, storage });
}

export async function openExchange(
  storage: Storage,
  size: { markets: number; wallets: number },
): Promise<Exchange> {
  const pm = createExchange(storage);
  await pm.start();
  await pm.approveCreator({ address: CREATOR });
  for (let index = 0; index < size.wallets; index += 1) {
    await pm.deposit({ address: walletOf(index), amount: 10_000_000, reference: `bench-${index}` });
  }
  const markets: number[] = [];
  for (let index = 0; index < size.markets; index += 1) {
    const market = await pm.createMarket({
      creator: CREATOR,
      question: `Will bench market ${index} be traded?`,
      resolutionCriteria: 'It is.',
      resolveDate: new Date(Date.now() + 48 * HOUR_MS).toISOString(),
      category: 'other',
    });
    markets.push(market.id);
  }
  return { pm, markets };
}

/** The context of the use cases over an open storage, for the baselines that bypass the trade queue. */
export function contextOver(storage: Storage): Context {
  const resolved = resolveOptions({ ...OPTIONS, storage });
  return {
    ...resolved,
    clockIsSteady: () => true,
    alarms: createAlarms(resolved),
    oracleAnswerCache: createOracleAnswerCache(resolved),
    markets: createMarketLookup(storage),
    eventsAppended: () => undefined,
    webhooksChanged: () => undefined,
    marketsDue: () => undefined,
    keyRevoked: () => undefined,
  };
}

/** Each client buys YES and NO in turn, for 1 USD. */
export function orderOf(wallet: number, market: number, count: number): PlaceTradeCommand {
  return {
    wallet: walletOf(wallet),
    market: String(market),
    side: (wallet + count) % 2 === 0 ? 'YES' : 'NO',
    action: 'buy',
    size: { amount: 1_000_000n },
    bounds: {},
    idempotencyKey: null,
  };
}
