/** Mistakes in tests that use the testing kit. The kit rejects each one and says what to write instead. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { createClient, fromEthers } from 'express-prediction-market/client';
import { api, createTestMarket, type TestMarket } from 'express-prediction-market/testing';

describe('a slip of the hand', () => {
  let market: TestMarket;
  beforeEach(async () => {
    market = await createTestMarket();
  });
  afterEach(() => market.close());

  it.each<[slip: string, () => unknown, string]>([
    [
      'a wallet by its name',
      () => market.fund('alice', 5),
      "a wallet of market.wallet('alice'), or its address",
    ],
    ['a key for a name', () => market.apiKey('alice' as never), "a wallet of market.wallet('alice')"],
    ['a creator by name', () => market.approveCreator('alice'), "a wallet of market.wallet('alice')"],
    ['calls as a name', () => api(express()).as('alice' as never), "a wallet of market.wallet('alice')"],
    ['calls of no app', () => api(undefined as never), 'api: the first argument must be your Express app'],
    [
      'an answer in small letters',
      () => market.oracle.answer('yes' as never),
      'the outcome must be one of YES, NO, TOO_EARLY, AMBIGUOUS, UNKNOWN, got "yes"',
    ],
    [
      'a settlement with a status that there is not',
      () => market.facilitator.settleWith({ status: 'ok' } as never),
      'facilitator.settleWith: the status must be one of settled, invalid, insufficient_funds, spent, unavailable, unknown, got "ok"',
    ],
    [
      'a verification by its name',
      () => market.facilitator.verifyWith('valid' as never),
      'facilitator.verifyWith: the result must be an object with a status (valid, invalid, insufficient_funds, spent, unavailable), got "valid"',
    ],
    [
      'a promise of a verification',
      () => market.facilitator.verifyWith(Promise.resolve({ status: 'valid' }) as never),
      '(valid, invalid, insufficient_funds, spent, unavailable), got a promise (was it to be awaited?)',
    ],
    [
      'a refusal without a reason',
      () => market.facilitator.settleWith({ status: 'invalid' } as never),
      'facilitator.settleWith: a result with the status invalid needs reason',
    ],
    [
      'a look-up with a time in milliseconds',
      () => market.facilitator.lookupWith({ status: 'unused', asOf: market.clock.now() }),
      'facilitator.lookupWith: asOf is in Unix seconds, got 1893456000000',
    ],
    [
      'a payout that is done',
      () => market.payout.progressWith({ status: 'done' } as never),
      'payout.progressWith: the status must be one of pending, renewed, confirmed, failed, lost, got "done"',
    ],
    [
      'a payout that is prepared without a state',
      () => market.payout.prepareWith({ status: 'prepared', transaction: null } as never),
      'payout.prepareWith: a result with the status prepared needs state',
    ],
    [
      'a step in words',
      () => market.clock.advance('1000' as never),
      'Not a whole number of milliseconds: "1000"',
    ],
    ['a step of NaN', () => market.clock.advance(NaN), 'Not a whole number of milliseconds: NaN'],
    [
      'fewer wallets than none',
      () => market.wallets(-1),
      'give a whole number of wallets, 0 or more; got -1',
    ],
    ['half a wallet', () => market.wallets(1.5), 'give a whole number of wallets, 0 or more; got 1.5'],
    ['wallets without a number', () => market.wallets(undefined as never), '0 or more; got undefined'],
    [
      'an app without the router',
      () => api(express()).get('/public/markets'),
      'GET /api/v2/public/markets: the app has no router of a market there. Write `app.use(market.pm.router)`',
    ],
    [
      'a path without its slash',
      () => api(express().use(market.pm.router)).get('public/markets'),
      "api: a path begins with a slash. Write '/public/markets' in place of 'public/markets'",
    ],
    [
      'a mount path without its slash',
      () => api(express().use('/bets', market.pm.router), { base: 'bets/api/v2' }).get('/public/markets'),
      "api: a path begins with a slash. Write base '/bets/api/v2' in place of 'bets/api/v2'",
    ],
    [
      "an operators' route of an app that has the public router only",
      () => api(express().use(market.pm.router)).get('/admin/markets'),
      "GET /api/v2/admin/markets: the app has no router of operators there. The operators' routes are those of `pm.adminRouter`, which the app mounts separately",
    ],
    [
      'a wallet that calls an app without the router',
      () => api(express()).as(market.wallet('alice')).get('/public/balance'),
      'POST /api/v2/auth/challenge: the app has no router of a market there',
    ],
    [
      'a step of nothing',
      () => market.clock.advance(undefined as never),
      'Not a whole number of milliseconds: undefined',
    ],
    [
      "a resolve date by the machine's clock",
      () => market.createMarket({ resolveDate: '2026-12-24T00:00:00Z' }),
      'resolveDate must be at least 1 hour in the future; the time here is 2030-01-01T00:00:00.000Z',
    ],
  ])('is answered with what to write: %s', async (_slip, call, message) => {
    await expect(async () => call()).rejects.toThrow(message);
    expect(market.clock.now()).toBe(Date.parse('2030-01-01'));
  });

  it("is answered with the kit's time: a payment that was signed by the machine's clock", async () => {
    const app = express().use(market.pm.router);
    const server = app.listen(0);
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const payWith = fromEthers(market.wallet('alice'));
    const client = createClient({ baseUrl: `http://127.0.0.1:${port}`, payWith });
    const error: unknown = await client.paid.deposit(5).catch((reason: unknown) => reason);
    server.closeAllConnections();
    server.close();
    expect(String(error)).toContain('The payment has expired; the time here is 2030-01-01T00:00:00.000Z');
  });
});
