/** Tests a host with Vitest. supertest calls the app's own routes. */
import { createTestMarket, type TestMarket } from 'express-prediction-market/testing';
import request from 'supertest';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createApp } from './app.js';

const DAY_MS = 24 * 3_600_000;

let market: TestMarket;
let app: ReturnType<typeof createApp>;

beforeEach(async () => {
  market = await createTestMarket();
  app = createApp(market.pm);
  await market.createMarket({ question: 'Will it rain?' });
});
afterEach(() => market.close());

describe('the page of results', () => {
  it('shows a market that the oracle has decided', async () => {
    market.oracle.answer('NO');
    market.clock.advance(DAY_MS);
    await market.runJobs();
    const response = await request(app).get('/results').expect(200);
    expect(response.body).toEqual([{ question: 'Will it rain?', outcome: 'NO' }]);
  });

  it('shows nothing while the oracle fails, and the result after it has come back', async () => {
    market.oracle.fail();
    market.clock.advance(DAY_MS);
    await market.runJobs();
    expect((await request(app).get('/results')).body).toEqual([]);

    market.oracle.answer('YES');
    market.clock.advance(DAY_MS); // far beyond the pause before the next attempt
    await market.runJobs();
    expect((await request(app).get('/results')).body).toMatchObject([{ outcome: 'YES' }]);
  });
});
