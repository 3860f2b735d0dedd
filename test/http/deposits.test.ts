import { memoryStorage } from '../../adapters/storage/memory';
import { buy, DEPOSIT } from '../x402/support/calls';
import { API, createMarket, OPS, startService, wallet, type Service } from './support/service';

const owner = wallet(821);
const stranger = wallet(822);
const path = `${API}/public/deposits`;
const storage = memoryStorage();
let service: Service;
let key: string;
beforeAll(async () => {
  service = await startService({ storage });
  key = await service.issueKey(owner);
});
afterAll(() => service.close());

interface List {
  deposits: {
    id: string;
    amount: number;
    source: string;
    transaction: string | null;
    createdAt: string;
  }[];
  hasMore: boolean;
}
const list = async (query = '', of = key): Promise<List> =>
  (await service.call('get', path + query, { key: of })).body as List;

it('a wallet lists what operators and payments have credited, newest first and page by page', async () => {
  const credit = (address: string, body: unknown) =>
    service.call('post', `${OPS}/${address}/deposits`, { body });
  expect(await list()).toEqual({ deposits: [], limit: 20, offset: 0, hasMore: false });
  await credit(`accounts/${owner.address}`, { amount: 5.25, reference: 'case 12: goodwill' });
  await credit(`accounts/${owner.address}`, { amount: 5.25, reference: 'case 12: goodwill' });
  await credit(`accounts/${stranger.address}`, { amount: 7, reference: 'of the other wallet' });
  await credit('treasury', { amount: 8, reference: 'capital' });
  service.clock.advance(1000);
  const paid = await buy(service, owner, DEPOSIT);
  const { amount } = paid.body as { amount: number };
  const transaction = (await service.pm.listPayments()).payments[0]?.transaction;
  expect(transaction).toMatch(/^0x/);

  const { deposits, hasMore } = await list();
  expect(deposits).toMatchObject([
    { amount, source: 'payment', transaction, createdAt: '2027-03-01T12:00:01.000Z' },
    { amount: 5.25, source: 'operator', transaction: null, createdAt: '2027-03-01T12:00:00.000Z' },
  ]);
  expect(hasMore).toBe(false);
  expect(JSON.stringify(deposits)).not.toMatch(/goodwill|x402/);
  expect(new Set(deposits.map(({ id }) => id)).size).toBe(2);
  expect(await list('?limit=1')).toMatchObject({ deposits: [deposits[0]], hasMore: true });
  expect(await list('?limit=1&offset=1')).toMatchObject({ deposits: [deposits[1]], hasMore: false });
  expect(await service.pm.listDeposits({ wallet: owner.address })).toEqual(await list());
  expect((await list('', await service.issueKey(stranger))).deposits).toMatchObject([{ amount: 7 }]);
});

it('the list needs a key that may read the account, and a page that exists', async () => {
  const trader = await service.issueKey(owner, { scopes: ['trades:create'] });
  expect((await service.call('get', path)).status).toBe(401);
  expect((await service.call('get', path, { key: trader })).status).toBe(403);
  expect((await service.call('get', `${path}?limit=0`, { key })).status).toBe(400);
});

describe('the lists of a wallet for operators', () => {
  const of = (kind: string, query = '') =>
    service.call('get', `${OPS}/accounts/${owner.address}/${kind}${query}`);

  it('name the reference of each deposit, and why a withdrawal has failed', async () => {
    const { body } = await of('deposits');
    expect(body).toMatchObject({
      deposits: [
        { reference: expect.stringMatching(/^x402:/) as string },
        { reference: 'case 12: goodwill' },
      ],
      hasMore: false,
    });
    expect(await service.pm.listDepositsAsOperator({ address: owner.address })).toEqual(body);
    const { id } = await service.pm.requestWithdrawal({ wallet: owner.address, amount: 2 });
    await service.pm.failWithdrawal({ id, reason: 'the wallet is closed' });
    const { body: withdrawals } = await of('withdrawals');
    expect(withdrawals).toMatchObject({
      withdrawals: [{ id, status: 'failed', reason: 'the wallet is closed' }],
      total: 1,
    });
    expect(await service.pm.listWithdrawalsAsOperator({ address: owner.address })).toEqual(withdrawals);
  });

  it('show all that has changed the balance, page by page, as the ledger has it', async () => {
    const market = await createMarket(service, stranger);
    service.clock.advance(1000);
    await service.pm.placeTrade({ market, wallet: owner.address, side: 'YES', amount: 3 });
    await service.pm.placeTrade({ market, wallet: owner.address, side: 'NO', amount: 1 });
    await service.pm.placeTrade({ market, wallet: owner.address, side: 'YES', action: 'sell', shares: 1 });
    service.clock.advance(1000);
    await service.pm.requestWithdrawal({ wallet: owner.address, amount: 2 });
    await service.pm.runJobs();
    service.clock.advance(1000);
    await service.pm.resolveMarket({ market, outcome: 'NO' });

    const postings = [];
    for (let after: string | null = '0-0-0'; after !== null;) {
      const page: { postings: Posting[]; next: string | null } = (
        await of('postings', `?limit=2&after=${after}`)
      ).body as { postings: Posting[]; next: string | null };
      postings.push(...page.postings);
      after = page.next;
    }
    expect(postings.map(({ kind, marketId }) => [kind, marketId])).toEqual([
      ...[
        ['settlement', market],
        ['withdrawal', null],
        ['trade', market],
        ['trade', market],
      ],
      ...[
        ['trade', market],
        ['deposit', null],
        ['deposit', null],
      ],
    ]);
    const { balance } = await service.pm.getAccount({ address: owner.address });
    expect(postings.reduce((sum, { amount }) => sum + amount, 0)).toBeCloseTo(balance, 6);
    for (const { reference, amount } of postings) {
      const stored = await storage.read((reader) => reader.postings.find(reference));
      const own = stored?.entries.find(({ account }) => account === `wallet:${owner.address.toLowerCase()}`);
      expect(own?.amount).toBe(BigInt(Math.round(amount * 1e6)));
    }
    expect(await service.pm.listPostings({ address: owner.address, limit: 100 })).toMatchObject({
      postings,
      next: null,
    });
  });

  it('are empty for a wallet that the books do not know, and refuse a cursor that no page gave', async () => {
    const { address } = wallet(829);
    const none = await service.call('get', `${OPS}/accounts/${address}/postings`);
    expect(none.body).toEqual({ postings: [], limit: 20, next: null });
    expect((await of('postings', '?after=1-2')).status).toBe(400);
    expect((await of('postings', '?after=-1-2-3')).status).toBe(400);
    expect((await of('deposits', '?limit=0')).status).toBe(400);
  });
});

interface Posting {
  kind: string;
  reference: string;
  amount: number;
  marketId: number | null;
}
