import { describe, expect, it } from '@jest/globals';
import type { Storage } from '../../../src/ports/storage';
import { createMarket } from '../../../src/usecases/markets/create-market';
import { getMarket } from '../../../src/usecases/markets/get-market';
import { listMarkets } from '../../../src/usecases/markets/list-markets';
import {
  approve,
  CREATOR,
  createWorld,
  HOUR,
  marketCommand,
  outcomeOf,
  START,
  wallet,
} from '../trading/support';

const listing = {
  limit: 20,
  offset: 0,
  status: null,
  category: null,
  q: null,
  sort: 'created_desc' as const,
};

describe('Creating a market', () => {
  it('opens it at 0.5, tells of it, and answers with the details', async () => {
    const world = await createWorld();
    const wakeUps = world.wakeUps();
    const view = await createMarket(world.context, { ...marketCommand(), description: '# Rain' });
    expect(view).toEqual({
      id: 1,
      tickerId: 'PM-0001',
      slug: 'will-it-rain-tomorrow',
      question: 'Will it rain tomorrow?',
      category: 'science',
      status: 'open',
      yesPrice: 0.5,
      noPrice: 0.5,
      volume: 0,
      liquidity: 0,
      resolveDate: '2027-01-02T00:00:00.000Z',
      createdAt: '2027-01-01T00:00:00.000Z',
      description: '# Rain',
      resolutionCriteria: 'The weather service says so.',
      creator: { address: CREATOR, displayName: 'Ada' },
      resolution: null,
    });
    expect(world.wakeUps()).toBe(wakeUps + 1);
    expect(await world.events()).toEqual([
      {
        event: 'market.created',
        seq: 1,
        marketSeq: 1,
        ts: '2027-01-01T00:00:00.000Z',
        data: {
          marketId: 1,
          tickerId: 'PM-0001',
          slug: 'will-it-rain-tomorrow',
          question: 'Will it rain tomorrow?',
          category: 'science',
          status: 'open',
          resolveDate: '2027-01-02T00:00:00.000Z',
        },
      },
    ]);
  });

  it('gives fifty identical questions fifty slugs', async () => {
    const world = await createWorld();
    const opened = await Promise.all(Array.from({ length: 50 }, () => world.openMarket()));
    expect(new Set(opened.map(({ slug }) => slug)).size).toBe(50);
    for (const { id, slug, tickerId } of opened) {
      for (const market of [String(id), slug, tickerId]) {
        expect((await getMarket(world.context, { market })).id).toBe(id);
      }
    }
    expect((await listMarkets(world.context, listing)).total).toBe(50);
  });

  it.each(['2027', 'pm-0001', 'PM-0002', '1', '天会下雨吗', '🌧️', 'new'])(
    'names a market with the question %s by a slug of its own',
    async (question) => {
      const world = await createWorld();
      await world.openMarket();
      await world.openMarket();
      const { id, slug } = await world.openMarket({ question });
      expect((await getMarket(world.context, { market: slug })).id).toBe(id);
      expect((await getMarket(world.context, { market: '1' })).id).toBe(1);
      expect((await getMarket(world.context, { market: 'pm-0001' })).id).toBe(1);
      expect((await getMarket(world.context, { market: 'PM-0002' })).id).toBe(2);
    },
  );

  it('needs an hour to the resolve date, by the clock', async () => {
    const world = await createWorld();
    const soon = world.openMarket({ resolveDate: START + HOUR - 1 });
    await expect(soon).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      errors: [{ field: 'resolveDate' }],
    });
    expect((await world.openMarket({ resolveDate: START + HOUR })).status).toBe('open');
  });

  it('is for approved creators only', async () => {
    const world = await createWorld();
    const stranger = wallet(5);
    expect(await outcomeOf(world.openMarket({ creator: stranger }))).toEqual({
      code: 'INSUFFICIENT_PERMISSIONS',
    });
    await approve(world.storage, stranger);
    expect((await world.openMarket({ creator: stranger })).creator.address).toBe(stranger);
    await world.storage.transaction(async (transaction) => {
      const creator = await transaction.creators.lock(stranger);
      if (creator !== null) await transaction.creators.save({ ...creator, status: 'suspended' });
    });
    expect(await outcomeOf(world.openMarket({ creator: stranger }))).toEqual({
      code: 'INSUFFICIENT_PERMISSIONS',
    });
    expect((await world.events()).map(({ event }) => event)).toEqual(['market.created']);
  });

  it('stays within the exposure limit, under parallel calls too', async () => {
    // The worst loss of a market, b ln 2, is 69.31 USD, so two markets fit into 140 USD.
    const world = await createWorld({ exposureLimit: 140 });
    const outcomes = await Promise.all(Array.from({ length: 5 }, () => outcomeOf(world.openMarket())));
    const refused = outcomes.filter((outcome) => 'code' in outcome);
    expect(refused).toEqual(Array.from({ length: 3 }, () => ({ code: 'EXPOSURE_LIMIT' })));
    expect((await listMarkets(world.context, listing)).total).toBe(2);
  });
});

describe('Looking up markets', () => {
  it('shares one query of each kind among the look-ups of a tick, and keeps nothing', async () => {
    const reads = { count: 0 };
    const counting = (storage: Storage): Storage => ({
      ...storage,
      read: (work) => {
        reads.count += 1;
        return storage.read(work);
      },
    });
    const world = await createWorld({}, counting);
    await world.openMarket();
    await world.openMarket();
    const { find } = world.context.markets;
    const references = [
      '1',
      'PM-0002',
      '2',
      'will-it-rain-tomorrow',
      'will-it-rain-tomorrow',
      'nothing',
      '9',
    ];
    const found = await Promise.all(references.map((reference) => outcomeOf(find(reference))));
    expect(found.map((outcome) => ('value' in outcome ? outcome.value.id : outcome.code))).toEqual([
      1,
      2,
      2,
      1,
      1,
      'MARKET_NOT_FOUND',
      'MARKET_NOT_FOUND',
    ]);
    expect(reads.count).toBe(2);
    await find('1');
    expect(reads.count).toBe(3);
  });
});

describe('Listing markets', () => {
  it('filters by status, judged by the clock, and by category in any case', async () => {
    const world = await createWorld();
    await world.openMarket({ resolveDate: START + HOUR });
    await world.openMarket({ category: 'crypto' });
    world.advance(2 * HOUR);
    const ids = async (change: object): Promise<number[]> =>
      (await listMarkets(world.context, { ...listing, ...change })).markets.map(({ id }) => id);
    expect(await ids({})).toEqual([2, 1]);
    expect(await ids({ status: 'open' })).toEqual([2]);
    expect(await ids({ status: 'resolving' })).toEqual([1]);
    expect(await ids({ status: 'resolving', category: 'crypto' })).toEqual([]);
    expect(await ids({ status: 'resolved' })).toEqual([]);
    expect(await ids({ category: 'CRYPTO' })).toEqual([2]);
    expect(await ids({ category: 'weather' })).toEqual([]);
    expect(await ids({ sort: 'resolve_asc' })).toEqual([1, 2]);
    expect((await getMarket(world.context, { market: '1' })).status).toBe('resolving');
  });

  it('pages, and says how many there are', async () => {
    const world = await createWorld();
    for (let market = 0; market < 5; market += 1) await world.openMarket();
    const view = await listMarkets(world.context, { ...listing, limit: 2, offset: 3 });
    expect(view.markets.map(({ id }) => id)).toEqual([2, 1]);
    expect({ total: view.total, limit: view.limit, offset: view.offset }).toEqual({
      total: 5,
      limit: 2,
      offset: 3,
    });
  });
});
