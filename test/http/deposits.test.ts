import { buy, DEPOSIT } from '../x402/support/calls';
import { API, OPS, startService, wallet, type Service } from './support/service';

const owner = wallet(821);
const stranger = wallet(822);
const path = `${API}/public/deposits`;
let service: Service;
let key: string;
beforeAll(async () => {
  service = await startService();
  key = await service.issueKey(owner);
});
afterAll(() => service.close());

interface List {
  deposits: { id: string; amount: number; source: string; createdAt: string }[];
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

  const { deposits, hasMore } = await list();
  expect(deposits).toMatchObject([
    { amount, source: 'payment', createdAt: '2027-03-01T12:00:01.000Z' },
    { amount: 5.25, source: 'operator', createdAt: '2027-03-01T12:00:00.000Z' },
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
