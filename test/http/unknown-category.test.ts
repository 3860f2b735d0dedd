import { API, createService, wallet, type Service } from './support/service';

describe('GET /public/markets with an unknown category', () => {
  let service: Service;
  beforeEach(async () => {
    service = await createService();
    await service.pm.start();
  });
  afterEach(() => service.close());

  it.each(['weather', 'x'.repeat(51), '天'.repeat(300)])('answers an empty list (%#)', async (category) => {
    const key = await service.issueKey(wallet(1));
    const path = `${API}/public/markets?category=${encodeURIComponent(category)}`;
    const { status, body } = await service.call('get', path, { key });
    expect(status).toBe(200);
    expect(body).toEqual({ markets: [], total: 0, limit: 20, offset: 0 });
  });
});
