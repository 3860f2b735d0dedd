import type Joi from 'joi';
import { CATEGORIES, MARKET_STATUSES } from '../../src/domain/types';
import * as accounts from '../../src/schemas/account';
import * as admin from '../../src/schemas/admin';
import * as markets from '../../src/schemas/markets';
import { parseBody, parseInput, parseQuery } from '../../src/schemas/parse';
import { ADDRESS, fieldsOf } from './support';

describe('creating a market', () => {
  const body = {
    question: 'Will it rain?',
    resolutionCriteria: 'Any rain\nis rain.',
    resolveDate: '2027-01-31T12:00:00+01:00',
    category: 'science',
  };
  const create = (change: object) => () => parseBody(markets.createMarketBody, { ...body, ...change });

  it('takes the documented fields', () => {
    const resolveDate = Date.UTC(2027, 0, 31, 11);
    expect(create({})()).toEqual({ ...body, resolveDate, description: null });
    expect(create({ description: '# So\n\tit is' })()).toMatchObject({ description: '# So\n\tit is' });
    expect(parseInput(markets.createMarketInput, { ...body, creator: ADDRESS })).toEqual({
      ...body,
      resolveDate,
      description: null,
      creator: ADDRESS,
    });
  });

  it.each(CATEGORIES)('takes the category %s', (category) => {
    expect(create({ category })()).toMatchObject({ category });
  });

  it('takes texts up to their limits, in code points', () => {
    const longest = {
      question: '🌧'.repeat(280),
      description: '🌧'.repeat(2000),
      resolutionCriteria: '🌧'.repeat(1000),
    };
    expect(create(longest)()).toMatchObject(longest);
    const tooLong = Object.fromEntries(Object.entries(longest).map(([name, text]) => [name, `${text}.`]));
    expect(fieldsOf(create(tooLong)).sort()).toEqual(['description', 'question', 'resolutionCriteria']);
  });

  it.each([
    ['question', 'two\nlines'],
    ['question', ['a']],
    ['question', 5],
    ['question', '\u200b\u200b'],
    ['question', 'a\u202eb'],
    ['question', 'a\ud800'],
    ['question', 'a\u0000'],
    ['description', ''],
    ['description', null],
    ['resolutionCriteria', undefined],
    ['resolveDate', '2026-02-30T00:00:00Z'],
    ['resolveDate', '2027-01-31T12:00:00'],
    ['resolveDate', 1801396800000],
    ['resolveDate', new Date(0)],
    ['category', 'Crypto'],
    ['category', 'weather'],
    ['creator', ADDRESS],
  ])('refuses %s of %j', (field, value) => {
    expect(fieldsOf(create({ [field]: value }))).toEqual([field]);
  });
});

describe('listing markets', () => {
  const query = (text: string) => () => parseQuery(markets.listMarketsQuery, new URLSearchParams(text));

  it('has defaults, and any case of a category', () => {
    const defaults = { status: null, category: null, q: null, sort: 'volume_desc', limit: 20, offset: 0 };
    expect(query('')()).toEqual(defaults);
    expect(query('category=CryptO&status=resolved&sort=resolve_asc')()).toEqual({
      ...defaults,
      category: 'crypto',
      status: 'resolved',
      sort: 'resolve_asc',
    });
    expect(query('category=weather')()).toMatchObject({ category: 'weather' });
  });

  it.each(MARKET_STATUSES)('filters by the status %s', (status) => {
    expect(query(`status=${status}`)()).toMatchObject({ status });
  });

  it.each(['status=closed', 'status=OPEN', 'sort=id', 'category=', 'category=%00', 'category=a&category=b'])(
    'refuses %s',
    (text) => {
      expect(fieldsOf(query(text))).toEqual([text.split('=')[0]]);
    },
  );
});

describe('quotes', () => {
  const query = (text: string) => () => parseQuery(markets.priceQuery, new URLSearchParams(text));

  it('are sized by amount or shares, or left out', () => {
    expect(query('')()).toEqual({ side: 'YES', action: 'buy', size: null });
    expect(query('side=NO&amount=10')()).toEqual({
      side: 'NO',
      action: 'buy',
      size: { amount: 10_000_000n },
    });
    expect(query('side=NO&action=sell&shares=2.5')()).toEqual({
      side: 'NO',
      action: 'sell',
      size: { shares: 2_500_000n },
    });
    expect(parseInput(markets.quoteInput, { market: 'rain', side: 'YES', shares: 1 })).toEqual({
      market: 'rain',
      side: 'YES',
      action: 'buy',
      size: { shares: 1_000_000n },
    });
  });

  it.each([
    ['amount=10', 'side'],
    ['shares=10', 'side'],
    ['side=YES&amount=1&shares=1', 'amount'],
    ['side=YES&action=sell&amount=1', 'amount'],
    ['side=YES&amount=0', 'amount'],
    ['side=YES&amount=1.0000001', 'amount'],
    ['side=YES&amount=1,5', 'amount'],
    ['side=YES&shares=all', 'shares'],
    ['side=YES&shares=', 'shares'],
    ['side=YES&amount=1e400', 'amount'],
    ['side=YES&amount=-0', 'amount'],
  ])('refuse %s', (text, field) => {
    expect(fieldsOf(query(text))).toEqual([field]);
  });
});

describe('price history', () => {
  const query = (text: string) => () => parseQuery(markets.historyQuery, new URLSearchParams(text));

  it('has defaults', () => {
    expect(query('')()).toEqual({
      interval: '1h',
      startTime: null,
      endTime: null,
      limit: 500,
    });
  });

  it.each(['1m', '5m', '15m', '1h', '6h', '1d'])('knows the interval %s', (interval) => {
    expect(query(`interval=${interval}&limit=501`)()).toMatchObject({ interval, limit: 500 });
  });

  it('takes instants, whose plus sign has to be encoded in a query', () => {
    expect(query('startTime=1970-01-01T01:00:00%2B01:00&endTime=1970-01-01T00:00:01Z')()).toMatchObject({
      startTime: 0,
      endTime: 1000,
    });
    expect(fieldsOf(query('startTime=1970-01-01T01:00:00+01:00'))).toEqual(['startTime']);
  });

  it.each(['interval=2h', 'limit=0', 'startTime=0', 'endTime=2027-02-29T00:00:00Z'])('refuses %s', (text) => {
    expect(fieldsOf(query(text))).toEqual([text.split('=')[0]]);
  });

  it('takes the market as a number from typed calls', () => {
    expect(parseInput(markets.priceHistoryInput, { market: 3, interval: '1d' })).toMatchObject({
      market: '3',
      interval: '1d',
    });
  });
});

describe('market references of typed calls', () => {
  it.each([
    [7, '7'],
    ['PM-0007', 'PM-0007'],
    ['will-it-rain', 'will-it-rain'],
  ])('%j is %s', (market, expected) => {
    expect(parseInput(markets.marketInput, { market })).toEqual({ market: expected });
  });

  it.each([undefined, null, 0, -1, 1.5, NaN, '', {}, ['1'], true])('%j is none', (market) => {
    expect(fieldsOf(() => parseInput(markets.marketInput, { market }))).toEqual(['market']);
  });
});

describe('pages of what a wallet asks of its own', () => {
  it('have defaults and limits', () => {
    expect(parseQuery(accounts.positionsQuery, new URLSearchParams('limit=500'))).toEqual({
      status: 'open',
      limit: 100,
      offset: 0,
    });
    expect(parseInput(accounts.listPositionsInput, { wallet: ADDRESS, status: 'all' })).toEqual({
      wallet: ADDRESS,
      status: 'all',
      limit: 20,
      offset: 0,
    });
    expect(parseQuery(accounts.historyPageQuery, new URLSearchParams('offset=5'))).toEqual({
      limit: 20,
      offset: 5,
    });
    expect(parseInput(accounts.listWalletHistoryInput, { wallet: ADDRESS, limit: 1 })).toMatchObject({
      limit: 1,
    });
    expect(
      fieldsOf(() => parseInput(accounts.listWalletHistoryInput, { wallet: ADDRESS, limit: '1' })),
    ).toEqual(['limit']);
    expect(parseInput(accounts.walletInput, { wallet: ADDRESS })).toEqual({ wallet: ADDRESS });
    expect(fieldsOf(() => parseQuery(accounts.positionsQuery, new URLSearchParams('status=x')))).toEqual([
      'status',
    ]);
  });
});

describe('what operators send', () => {
  it('becomes commands', () => {
    expect(parseQuery(admin.listCreatorsQuery, new URLSearchParams())).toEqual({
      status: null,
      limit: 20,
      offset: 0,
    });
    expect(parseBody(admin.decideCreatorBody, { reason: 'spam' })).toEqual({ reason: 'spam' });
    expect(parseInput(admin.decideCreatorInput, { reason: 'spam', address: ADDRESS })).toEqual({
      reason: 'spam',
      address: ADDRESS,
    });
    expect(parseBody(admin.depositBody, { amount: 0.1, reference: 'wire 7' })).toEqual({
      amount: 100_000n,
      reference: 'wire 7',
    });
    expect(parseBody(admin.resolveBody, { outcome: 'VOID' })).toEqual({ outcome: 'VOID', note: null });
    expect(parseInput(admin.resolveInput, { market: 1, outcome: 'NO', note: 'seen' })).toEqual({
      market: '1',
      outcome: 'NO',
      note: 'seen',
    });
    expect(parseBody(admin.updateKeyBody, { rateLimit: 600 })).toEqual({ rateLimit: 600 });
    expect(parseInput(admin.updateKeyInput, { id: 1, scopes: ['markets:read'] })).toEqual({
      id: 1,
      scopes: ['markets:read'],
    });
  });

  it.each([
    ['no reason', admin.decideCreatorBody, {}, 'reason'],
    ['an empty reason', admin.decideCreatorBody, { reason: ' ' }, 'reason'],
    ['a long reason', admin.decideCreatorBody, { reason: 'a'.repeat(501) }, 'reason'],
    ['no amount', admin.depositBody, { reference: 'r' }, 'amount'],
    ['an amount of nothing', admin.depositBody, { amount: 0, reference: 'r' }, 'amount'],
    ['too large an amount', admin.depositBody, { amount: 1e9 + 1, reference: 'r' }, 'amount'],
    ['no reference', admin.depositBody, { amount: 1 }, 'reference'],
    ['a long reference', admin.depositBody, { amount: 1, reference: 'r'.repeat(201) }, 'reference'],
    ['a blank before a reference', admin.depositBody, { amount: 1, reference: ' r' }, 'reference'],
    ['a blank behind a reference', admin.depositBody, { amount: 1, reference: 'r ' }, 'reference'],
    [
      'a no-break space behind a reference',
      admin.depositBody,
      { amount: 1, reference: 'r\u00a0' },
      'reference',
    ],
    ['a blank that shows nothing', admin.depositBody, { amount: 1, reference: '\u200br' }, 'reference'],
    ['a number for a reference', admin.depositBody, { amount: 1, reference: 5 }, 'reference'],
    ['an outcome that is none', admin.resolveBody, { outcome: 'MAYBE' }, 'outcome'],
    ['a blank note', admin.resolveBody, { outcome: 'YES', note: '\n' }, 'note'],
    ['no change of a key', admin.updateKeyBody, {}, 'rateLimit'],
    ['a quota of nothing', admin.updateKeyBody, { rateLimit: 0 }, 'rateLimit'],
    ['a broken quota', admin.updateKeyBody, { rateLimit: 1.5 }, 'rateLimit'],
  ] as [string, Joi.Schema<object>, object, string][])('is refused with %s', (_what, schema, body, field) => {
    expect(fieldsOf(() => parseBody(schema, body))).toEqual([field]);
  });
});
