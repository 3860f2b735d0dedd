/** The published testing kit, used as the tests of a host use it. */
import express from 'express';
import type { Oracle } from 'express-prediction-market';
import { developmentFacilitator } from 'express-prediction-market/facilitator/development';
import { developmentPayout } from 'express-prediction-market/payout/development';
import { sqliteStorage } from 'express-prediction-market/storage/sqlite';
import {
  api,
  createTestMarket,
  fakeFacilitator,
  paymentHeader,
  seededRandom,
  testClock,
  testWallet,
  testWallets,
  type TestMarket,
} from 'express-prediction-market/testing';

const DAY = 86_400_000;

describe('createTestMarket', () => {
  let test: TestMarket;
  beforeEach(async () => {
    test = await createTestMarket();
  });
  afterEach(() => test.close());

  it('takes a market through its life without any time passing', async () => {
    const { pm, clock, oracle } = test;
    const alice = test.wallet('alice');
    const told: string[] = [];
    pm.events.on('market.resolved', ({ data }) => void told.push(data.outcome));
    await test.fund(alice, 100);
    const market = await test.createMarket({ question: 'Will it rain?' });
    expect(market).toMatchObject({ question: 'Will it rain?', slug: 'will-it-rain', status: 'open' });
    const trade = await pm.placeTrade({ wallet: alice.address, market: market.id, side: 'YES', amount: 10 });

    oracle.answer('YES', { confidence: 0.9 });
    clock.advance(DAY);
    await test.runJobs();

    expect((await pm.getMarket(market.id)).resolution).toMatchObject({
      outcome: 'YES',
      oracleConsensus: 0.9,
    });
    const { balance } = await pm.getAccount({ address: alice.address });
    expect(balance).toBeCloseTo(90 + trade.shares, 6);
    expect(told).toEqual(['YES']);
    expect((await pm.audit()).ok).toBe(true);
  });

  it('stands still at a known time until the test moves it', async () => {
    expect(new Date(test.clock.now()).toISOString()).toBe('2030-01-01T00:00:00.000Z');
    const market = await test.createMarket();
    expect(market.resolveDate).toBe('2030-01-02T00:00:00.000Z');
    await test.runJobs();
    expect((await test.pm.getMarket(market.id)).status).toBe('open');
  });

  it('makes the same keys, markets and wallets in every run', async () => {
    const other = await createTestMarket();
    const [alice] = test.wallets(1);
    if (alice === undefined) throw new Error('no wallet');
    expect(await other.apiKey(alice)).toBe(await test.apiKey(alice));
    expect(await other.createMarket()).toEqual(await test.createMarket());
    await other.close();
    const seeded = await createTestMarket({ seed: 2 });
    expect(await seeded.apiKey(alice)).not.toBe(await test.apiKey(alice));
    await seeded.close();
  });

  it('answers more than 60 requests of a key and of an address at one instant, unless the test sets a quota', async () => {
    const strict = await createTestMarket({ keyRateLimit: 2, addressRateLimit: 3 });
    const statuses = async ({ pm, wallet }: TestMarket, count: number): Promise<number[]> => {
      const caller = api(express().use(pm.router));
      const asAlice = caller.as(wallet('alice'));
      const got: number[] = [];
      for (let call = 0; call < count; call += 1) {
        got.push((await caller.get('/public/markets')).status, (await asAlice.get('/public/balance')).status);
      }
      return got;
    };
    expect(new Set(await statuses(test, 61))).toEqual(new Set([401, 200]));
    expect((await statuses(strict, 3)).slice(-2)).toEqual([429, 429]);
    await strict.close();
  });

  it('issues one key a wallet, which the market knows', async () => {
    const alice = test.wallet('alice');
    const key = await test.apiKey(alice);
    expect(await test.apiKey(alice)).toBe(key);
    const { keys } = await test.pm.listKeys({ address: alice.address });
    expect(keys).toHaveLength(1);
  });

  it('lets the test decide when the oracle answers, and how', async () => {
    const market = await test.createMarket();
    test.clock.advance(DAY);
    test.oracle.fail(new Error('no news today'));
    await test.runJobs();
    expect((await test.pm.getMarket(market.id)).status).toBe('resolving');
    test.clock.advance(DAY);
    test.oracle.answer('NO');
    await test.runJobs();
    expect((await test.pm.getMarket(market.id)).resolution?.outcome).toBe('NO');
    expect(test.oracle.questions).toHaveLength(2);
  });

  it('takes the options of createPredictionMarket', async () => {
    const other = await createTestMarket({ startAt: '2031-05-05T00:00:00Z', liquidityParameter: 1000 });
    const market = await other.createMarket();
    expect(market.createdAt).toBe('2031-05-05T00:00:00.000Z');
    const quote = await other.pm.getPrice({ market: market.id, side: 'YES', shares: 100 });
    expect(quote.yesPrice).toBe(0.5);
    expect(quote.quote?.yesPriceAfter).toBeCloseTo(1 / (1 + Math.exp(-0.1)), 5);
    await other.close();
  });
});

describe('createTestMarket with parts of the test', () => {
  it('uses the storage, the oracle, the facilitator, the payout, the clock and the randomness that it is given', async () => {
    const clock = testClock('2031-01-01T00:00:00Z');
    const asked: string[] = [];
    const oracle: Oracle & { asked: string[] } = {
      name: 'of the test',
      asked,
      ask: async ({ question }) => {
        asked.push(question);
        return {
          outcome: 'YES',
          probability: 1,
          confidence: 1,
          agreement: 1,
          citations: [],
          reasoning: '',
          votes: [],
        };
      },
    };
    const facilitator = developmentFacilitator({ clock, warn: () => undefined });
    const payout = developmentPayout();
    const random = seededRandom('of the test');
    const storage = sqliteStorage({ file: ':memory:' });
    const test = await createTestMarket({ storage, oracle, facilitator, payout, clock, random });
    expect(test).toMatchObject({ oracle, facilitator, payout, clock, random });

    const { id } = await test.createMarket({ question: 'Will it rain?' });
    expect(await storage.read((reader) => reader.markets.findByIds([id]))).toHaveLength(1);
    test.clock.advance(DAY);
    await test.runJobs();
    expect(test.oracle.asked).toEqual(['Will it rain?']);
    expect((await test.pm.getMarket(id)).resolution?.outcome).toBe('YES');
    expect(test.facilitator.balanceOf(test.wallet('alice').address)).toBe(1_000_000_000n);
    await test.close();
  });

  it.each([
    [{ clock: { now: (): number => 0 } }, 'createTestMarket: clock must be a clock that testClock makes'],
    [{ seed: {} }, 'createTestMarket: seed must be a text or a number'],
    [{ clock: testClock(), startAt: 5 }, 'createTestMarket: startAt has no effect beside clock'],
    [{ random: seededRandom(), seed: 5 }, 'createTestMarket: seed has no effect beside random'],
    [{ oracle: {} }, 'createPredictionMarket: oracle must be an oracle'],
    [{ storage: 'sqlite:x' }, 'createPredictionMarket: storage must be a storage'],
    [{ orcale: fakeFacilitator() }, 'createTestMarket: unknown option orcale; did you mean oracle?'],
    [{ startsAt: 5 }, 'createTestMarket: unknown option startsAt; did you mean startAt?'],
    [{ startAt: 'tomorrow' }, 'Not an instant: "tomorrow"; give milliseconds or ISO 8601'],
  ])('refuses %p', async (options, message) => {
    await expect(createTestMarket(options as never)).rejects.toThrow(message);
  });
});

describe('the API helper', () => {
  it('calls as a wallet, which signs for its key, or without a key', async () => {
    const test = await createTestMarket();
    const app = express();
    app.use(test.pm.router);
    app.use('/ops', test.pm.adminRouter);
    const client = api(app);
    const alice = test.wallet('alice');
    await test.fund(alice, 100);
    const market = await test.createMarket();

    const refused = await client.get('/public/balance');
    expect(refused.status).toBe(401);
    const placed = await client
      .as(alice)
      .post<{ marketId: number; balance: number }>(`/public/markets/${market.id}/trade`)
      .set('Idempotency-Key', 'once')
      .send({ side: 'YES', amount: 10 })
      .expect(201);
    expect(placed.body.marketId).toBe(market.id);
    expect(placed.headers['x-ratelimit-limit']).toBe('1000000');
    const balance = await client.as(alice).get<{ balance: number }>('/public/balance');
    expect(balance.body.balance).toBe(placed.body.balance);
    const listed = await client.as(alice).get<{ total: number }>('/public/markets').query({ limit: 5 });
    expect(listed.body.total).toBe(1);
    // All calls have used one key.
    expect((await test.pm.listKeys({ address: alice.address })).keys).toHaveLength(1);

    const ops = api(app, { base: '/ops' });
    const resolved = await ops
      .post<{ status: string }>(`/markets/${market.id}/resolve`)
      .send({ outcome: 'YES' });
    expect(resolved.body.status).toBe('resolved');
    await test.close();
  });

  it('names the answer that came instead of the expected status', async () => {
    const test = await createTestMarket();
    const app = express();
    app.use(test.pm.router);
    const call = api(app).post('/auth/challenge').send('{').expect(200);
    await expect(async () => call).rejects.toThrow(
      /^POST \/api\/v2\/auth\/challenge: expected status 200, got 400: \{/,
    );
    await test.close();
  });
});

describe('the parts', () => {
  it('has wallets that are the same in every run and differ from each other', async () => {
    const wallets = testWallets(20);
    expect(new Set(wallets.map(({ address }) => address)).size).toBe(20);
    expect(wallets[3]?.address).toBe(testWallet(3).address);
    expect(await testWallet('alice').signMessage('hello')).toMatch(/^0x[0-9a-f]{130}$/);
  });

  it('has randomness that does not depend on how it is taken', () => {
    const [whole, parts] = [seededRandom('s'), seededRandom('s')];
    const expected = [...whole.bytes(100)];
    const taken = [1, 31, 0, 40, 28].flatMap((length) => [...parts.bytes(length)]);
    expect(taken).toEqual(expected);
    expect([...seededRandom('t').bytes(100)]).not.toEqual(expected);
  });

  it('has a clock that refuses what is no instant', () => {
    const clock = testClock(5);
    clock.advance(10);
    expect(clock.now()).toBe(15);
    expect(() => clock.set('tomorrow')).toThrow(RangeError);
  });

  it('has a facilitator that finds every payment good until it is told otherwise', async () => {
    const facilitator = fakeFacilitator();
    const authorization = {
      from: '0x1',
      to: '0x2',
      value: '1000',
      validAfter: '0',
      validBefore: '1',
      nonce: '0x3',
      signature: '0x',
    };
    const payment = { form: 'flat', authorization } as const;
    const requirements = {
      amount: '1000',
      currency: 'USDC',
      network: 'eip155:8453',
      payTo: '0x2',
      asset: '0x4',
      assetName: 'USD Coin',
      assetVersion: '2',
      maxTimeoutSeconds: 300,
      resource: { url: 'https://example.com/feed', description: '', mimeType: 'application/json' },
    } as const;
    expect(await facilitator.lookup(payment, requirements)).toEqual({ status: 'unused' });
    expect(await facilitator.verify(payment, requirements)).toEqual({ status: 'valid' });
    const settled = { status: 'settled', transaction: '0x3' };
    expect(await facilitator.settle(payment, requirements)).toEqual(settled);
    expect(await facilitator.lookup(payment, requirements)).toEqual(settled);
    facilitator.verifyWith({ status: 'insufficient_funds' });
    facilitator.settleWith({ status: 'unknown', reason: 'timeout' });
    facilitator.lookupWith({ status: 'unknown', reason: 'timeout' });
    expect(await facilitator.verify(payment, requirements)).toEqual({ status: 'insufficient_funds' });
    expect(await facilitator.settle(payment, requirements)).toMatchObject({ status: 'unknown' });
    expect(await facilitator.lookup(payment, requirements)).toMatchObject({ status: 'unknown' });
    expect(facilitator.calls.map(({ method }) => method).join(' ')).toBe(
      'lookup verify settle lookup verify settle lookup',
    );
  });
});

it('paymentHeader says what it needs', async () => {
  await expect(paymentHeader(testWallet('bob'), { error: 'no' }, 0)).rejects.toThrow(
    'paymentHeader: the second argument must be the body of an answer with HTTP 402',
  );
});
