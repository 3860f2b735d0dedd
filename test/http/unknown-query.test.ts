import { API, createMarket, startService, wallet, type Service } from './support/service';

const owner = wallet(731);
let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

it('a list with a misspelt query parameter is the list without it', async () => {
  await createMarket(service, owner);
  const key = await service.issueKey(owner);
  const list = async (query: string): Promise<{ status: number; total: number }> => {
    const { status, body } = await service.call('get', `${API}/public/markets${query}`, { key });
    return { status, total: (body as { total: number }).total };
  };
  expect(await list('?status=resolved')).toEqual({ status: 200, total: 0 });
  expect(await list('?statuss=resolved')).toEqual({ status: 200, total: 1 });
  expect(await list('?statuss=none-of-them')).toEqual(await list(''));
});
