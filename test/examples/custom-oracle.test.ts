import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createTestMarket } from 'express-prediction-market/testing';
import { openMarket, type FixtureTable } from '../../examples/custom-oracle/app';
import { resultsOracle } from '../../examples/custom-oracle/oracle';
import '../../examples/custom-oracle/oracle.test';

it('a market about a fixture is resolved by the feed, and one about anything else is not', async () => {
  const asked: string[] = [];
  const feed = createServer((request, response) => {
    asked.push(request.url ?? '');
    response.end('{ "status": "final", "homeWon": false }');
  });
  await new Promise<void>((resolve) => feed.listen(0, '127.0.0.1', resolve));
  const { port } = feed.address() as AddressInfo;
  const fixtures: FixtureTable = new Map();
  const fixtureOf = (id: number): string | null => fixtures.get(id) ?? null;
  const oracle = resultsOracle({ url: `http://127.0.0.1:${port}`, apiKey: 'k', fixtureOf });
  const test = await createTestMarket({ oracle });
  const endsAt = new Date(test.clock.now() + 2 * 3_600_000).toISOString();
  const about = await openMarket(test.pm, fixtures, { id: 'm/17', home: 'Ajax', away: 'PSV', endsAt });
  const other = await test.createMarket({ question: 'Will it rain?', resolveDate: endsAt });

  test.clock.advance(2 * 3_600_000);
  await test.runJobs();
  expect(await test.pm.getMarket(about.id)).toMatchObject({
    status: 'resolved',
    resolution: { outcome: 'NO', method: 'oracle' },
  });
  expect(await test.pm.getMarket(other.id)).toMatchObject({ status: 'resolving' });
  expect(asked).toEqual(['/m%2F17']);

  await test.close();
  feed.closeAllConnections();
  await new Promise((resolve) => feed.close(resolve));
});
