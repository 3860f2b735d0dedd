import { startService, wallet, type Service } from '../http/support/service';
import { buy, FEED } from './support/calls';

describe('the feed of an unknown category', () => {
  let service: Service;
  beforeEach(async () => {
    service = await startService();
  });
  afterEach(() => service.close());

  it.each(['weather', 'x'.repeat(51), '天'.repeat(300)])('is empty (%#)', async (category) => {
    const path = `/x402/feed?category=${encodeURIComponent(category)}`;
    const { status, body } = await buy(service, wallet(851), { ...FEED, path });
    expect(status).toBe(200);
    expect(body).toMatchObject({ markets: [], totals: { openMarkets: 0 } });
  });
});
