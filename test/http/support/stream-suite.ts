import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { openStream } from '../../live/stream/client';
import { API, createMarket, startService, wallet, type Service } from './service';

const trader = wallet(911);

export function streamSuite(): void {
  let service: Service;
  let server: Server;
  let market: number;
  let address: string;
  beforeAll(async () => {
    service = await startService();
    market = await createMarket(service, wallet(912));
    await service.fund(trader, 100);
    server = createServer(service.app).listen(0, '127.0.0.1');
    await once(server, 'listening');
    address = `http://127.0.0.1:${(server.address() as AddressInfo).port}${API}/stream`;
  });
  afterAll(async () => {
    await service.close();
    server.closeAllConnections();
    server.close();
  });

  it('begins, tells each fact as it happens, and resumes by its id', async () => {
    const trade = () => service.pm.placeTrade({ wallet: trader.address, market, side: 'YES', amount: 10 });
    const client = await openStream(`${address}?channels=trades`);
    await client.take(2);
    await trade();
    const { id, message } = await client.next();
    expect([client.response.statusCode, message.event]).toEqual([200, 'trade']);
    client.leave();
    await trade();
    const resumed = await openStream(`${address}?channels=trades`, { 'Last-Event-ID': id ?? '' });
    const [, subscribed, missed] = await resumed.take(3);
    expect(subscribed?.message).toMatchObject({ type: 'subscribed', seq: message.seq });
    expect(missed?.message).toMatchObject({ seq: Number(message.seq) + 1, event: 'trade' });
    resumed.leave();
  });

  it('refuses with an ordinary answer', async () => {
    const refused = await service.call('get', `${API}/stream?channels=nonsense`);
    expect(refused.status).toBe(400);
  });
}
