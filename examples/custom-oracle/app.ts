/**
 * A host that opens a market for each fixture of its league. The results feed of the league resolves the
 * markets.
 */
import express, { type Express } from 'express';
import type { MarketDetailView, PredictionMarket } from 'express-prediction-market';

export interface Fixture {
  id: string;
  home: string;
  away: string;
  /** When trading ends, and the feed is asked for the first time. ISO 8601 with an offset. */
  endsAt: string;
}

/** The wallet of the host: it creates the markets, and earns their fees. */
const HOST = '0x00000000000000000000000000000000000000b5';

/**
 * The id of the fixture of each market, by the number of the market. A real host keeps this table in its
 * database.
 */
export type FixtureTable = Map<number, string>;

export async function openMarket(
  pm: PredictionMarket,
  fixtures: FixtureTable,
  { id, home, away, endsAt }: Fixture,
): Promise<MarketDetailView> {
  await pm.approveCreator({ address: HOST });
  const market = await pm.createMarket({
    creator: HOST,
    question: `Will ${home} beat ${away}?`,
    resolutionCriteria: 'The final result of the league, after extra time.',
    resolveDate: endsAt,
    category: 'sports',
  });
  fixtures.set(market.id, id);
  return market;
}

export function createApp(pm: PredictionMarket): Express {
  const app = express();
  app.use(pm.router);
  return app;
}
