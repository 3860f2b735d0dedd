import fc from 'fast-check';
import { usdToMicros } from '../../src/domain/money';
import { movementsOf } from '../../site/browser/portfolio/statement';
import { API, START, startService, wallet, type Service } from './support/service';

const path = `${API}/public/creator/earnings`;
const creator = wallet(831);
const other = wallet(832);
const question = (text: string) => ({
  question: text,
  resolutionCriteria: 'A public source.',
  category: 'other' as const,
  resolveDate: new Date(START + 86_400_000).toISOString(),
});

interface List {
  markets: { id: number; slug: string; status: string; volume: number; fees: number }[];
  fees: number;
  total: number;
}

describe('the earnings of a creator', () => {
  let service: Service;
  let key: string;
  beforeAll(async () => {
    service = await startService();
    key = await service.issueKey(creator);
    await service.approve(creator);
    await service.approve(other);
    for (const trader of [creator, other]) await service.fund(trader, 100);
  });
  afterAll(() => service.close());
  const list = async (query = '', of = key): Promise<List> =>
    (await service.call('get', path + query, { key: of })).body as List;

  it('are the fees of the own markets, newest first and page by page', async () => {
    expect(await list()).toEqual({ markets: [], fees: 0, total: 0, limit: 20, offset: 0 });
    const { pm } = service;
    const open = async (address: string, text: string) =>
      (await pm.createMarket({ creator: address, ...question(text) })).id;
    const first = await open(creator.address, 'Will it rain?');
    const foreign = await open(other.address, 'Will it snow?');
    const second = await open(creator.address, 'Will it hail?');
    const fees: number[] = [];
    for (const [market, trader, amount] of [
      [first, other, 10],
      [first, creator, 5],
      [foreign, creator, 5],
    ] as const) {
      const order = { market, side: 'YES', action: 'buy', amount } as const;
      fees.push((await pm.placeTrade({ wallet: trader.address, ...order })).fee);
    }
    const [ofOther = 0, own = 0, foreignFee = 0] = fees.map((fee) => usdToMicros(fee)).map(Number);
    const earned = (ofOther + own) / 1e6;
    const { markets, ...totals } = await list();
    expect(markets).toMatchObject([
      { id: second, slug: 'will-it-hail', status: 'open', volume: 0, fees: 0 },
      { id: first, slug: 'will-it-rain', status: 'open', fees: earned },
    ]);
    expect(totals).toEqual({ fees: earned, total: 2, limit: 20, offset: 0 });
    expect(await list('?limit=1&offset=1')).toMatchObject({ markets: [markets[1]], fees: earned, total: 2 });
    expect(await pm.listEarnings({ wallet: creator.address })).toEqual(await list());
    expect(await list('', await service.issueKey(other))).toMatchObject({ fees: foreignFee / 1e6, total: 1 });
  });

  it('need a key that may read the account, and a page that exists', async () => {
    const trader = await service.issueKey(creator, { scopes: ['trades:create'] });
    expect((await service.call('get', path)).status).toBe(401);
    expect((await service.call('get', path, { key: trader })).status).toBe(403);
    expect((await service.call('get', `${path}?limit=0`, { key })).status).toBe(400);
  });
});

const WALLETS = [creator.address, other.address];
const acts = fc.array(
  fc.record({
    act: fc.constantFrom('deposit', 'open', 'buy', 'buy', 'sell', 'resolve', 'withdraw'),
    of: fc.nat(1),
    market: fc.nat(3),
    side: fc.constantFrom('YES' as const, 'NO' as const),
    amount: fc.integer({ min: 10_000, max: 9_000_000 }).map((micros) => micros / 1e6),
  }),
  { minLength: 10, maxLength: 30 },
);
type Act = typeof acts extends fc.Arbitrary<readonly (infer One)[]> ? One : never;

async function run({ pm }: Service, { act, of, market, side, amount }: Act, step: number): Promise<void> {
  const address = WALLETS[of] ?? '';
  const order = { wallet: address, market: market + 1, side, amount };
  const runs: Record<string, () => Promise<unknown>> = {
    deposit: () => pm.deposit({ address, amount, reference: `act ${step}` }),
    open: () => pm.createMarket({ creator: address, ...question(`Will it rain ${step} times?`) }),
    buy: () => pm.placeTrade({ ...order, action: 'buy' }),
    sell: () => pm.placeTrade({ wallet: address, market: market + 1, side, action: 'sell', shares: 'all' }),
    resolve: () => pm.resolveMarket({ market: market + 1, outcome: side }),
    withdraw: () => pm.requestWithdrawal({ wallet: address, amount }),
  };
  await runs[act]?.().catch((error: unknown) => expect(error).toHaveProperty('code'));
}

it('the public lists of a wallet add up to its balance exactly, after any life', async () => {
  const lived = { fees: 0, paid: 0, withdrawn: 0 };
  await fc.assert(
    fc.asyncProperty(acts, async (life) => {
      const service = await startService();
      const { pm } = service;
      try {
        for (const address of WALLETS) {
          await pm.approveCreator({ address });
          await pm.deposit({ address, amount: 50, reference: address });
          await pm.createMarket({ creator: address, ...question(`Will ${address} win?`) });
        }
        for (const [step, act] of life.entries()) await run(service, act, step);
        await pm.runJobs();
        for (const of of WALLETS) {
          const page = { wallet: of, limit: 100 };
          const { trades } = await pm.listWalletHistory(page);
          const { deposits } = await pm.listDeposits(page);
          const { withdrawals } = await pm.listWithdrawals(page);
          const { markets: earnings } = await pm.listEarnings(page);
          const { balance } = await pm.getBalance({ wallet: of });
          const told = { history: trades, deposits, withdrawals, earnings, balance };
          const movements = movementsOf({ ...told, questions: new Map() });
          expect(movements.filter(({ kind }) => kind === 'not listed')).toEqual([]);
          expect(movements.reduce((sum, { micros }) => sum + micros, 0)).toBe(Math.round(balance * 1e6));
          lived.fees += movements.filter(({ kind }) => kind === 'creator fees').length;
          lived.paid += movements.filter(({ kind }) => kind === 'settlement').length;
          lived.withdrawn += movements.filter(({ kind }) => kind === 'withdrawal').length;
        }
      } finally {
        await service.close();
      }
    }),
    { numRuns: 25 },
  );
  expect(Math.min(...Object.values(lived))).toBeGreaterThan(0);
});
