import { createServer } from 'node:http';
import { createPredictionMarket } from 'express-prediction-market';
import { developmentFacilitator } from 'express-prediction-market/facilitator/development';
import { memoryStorage } from 'express-prediction-market/storage/memory';
import { createApp, openMarket, type FixtureTable } from './app.js';
import { resultsOracle } from './oracle.js';

// A server in place of the league's feed. Here the home team always wins.
const feed = createServer((_request, response) => response.end('{ "status": "final", "homeWon": true }'));
const feedPort = Number(process.env['FEED_PORT'] ?? 3001);
feed.listen(feedPort);

const fixtures: FixtureTable = new Map();
const pm = createPredictionMarket({
  storage: memoryStorage(), // the data end with the process
  oracle: resultsOracle({
    url: process.env['FEED_URL'] ?? `http://127.0.0.1:${feedPort}`,
    apiKey: process.env['FEED_KEY'] ?? '',
    fixtureOf: (marketId) => fixtures.get(marketId) ?? null,
  }),
  facilitator: developmentFacilitator(),
  payTo: '0x1111111111111111111111111111111111111111',
});

pm.events.on('market.resolved', ({ data }) => console.log(data.question, data.outcome));

const server = createApp(pm).listen(Number(process.env['PORT'] ?? 3000));
process.once('SIGTERM', () => {
  server.close(() => void pm.close());
  void pm.closeConnections();
  feed.close();
});

async function start(): Promise<void> {
  await pm.start();
  const inTwoHours = new Date(Date.now() + 2 * 3_600_000).toISOString();
  const market = await openMarket(pm, fixtures, {
    id: 'm-17',
    home: 'Ajax',
    away: 'PSV',
    endsAt: inTwoHours,
  });
  console.log('opened', market.slug);
  await pm.closeMarket({ market: market.id }); // for this trial: ask the feed now, not in two hours
}

start().catch((error: unknown) => {
  console.error('cannot start:', error);
  process.exit(1);
});
