/** Sockets of a market that closes, and the path that it leaves. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { memoryStorage } from 'express-prediction-market/storage/memory';
import { createTestMarket, type TestMarket, type TestMarketOptions } from 'express-prediction-market/testing';
import { createGate } from '../../support/gate';
import { until } from '../../support/until';
import { Client, withSlowKeys } from './support';

const closing: (() => Promise<unknown> | unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

let server: Server;
beforeEach(async () => {
  server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closing.push(async () => {
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  });
});

async function attached(options: Pick<TestMarketOptions, 'storage' | 'logger'> = {}): Promise<TestMarket> {
  const test = await createTestMarket(options);
  closing.push(() => test.close());
  test.pm.attachWebSocket(server);
  return test;
}

function connect(headers: Record<string, string> = {}, path = '/api/v2/ws'): Client {
  const { port } = server.address() as AddressInfo;
  const client = new Client(`ws://127.0.0.1:${String(port)}${path}`, { headers });
  closing.push(() => client.ws.terminate());
  return client;
}

async function open(path?: string): Promise<Client> {
  const client = connect({}, path);
  await client.opened();
  return client;
}

it('an upgrade whose key is looked up while the market closes is answered 503, and the close ends', async () => {
  const lookUp = createGate();
  let isHeld = false;
  let asked = 0;
  const storage = withSlowKeys(memoryStorage(), async () => {
    asked += 1;
    if (isHeld) await lookUp.opened;
  });
  const test = await attached({ storage });
  const key = await test.apiKey(test.wallet('alice'));
  const witness = await open();
  isHeld = true;
  asked = 0;
  const late = connect({ 'X-API-Key': key });
  await until(() => asked === 1);
  const closed = test.pm.close();
  expect(await witness.end()).toMatchObject({ code: 1001 });
  lookUp.open();
  await late.opened();
  expect(late.received).toEqual([]);
  expect(late.refusal).toMatchObject({ status: 503, body: { code: 'SERVICE_UNAVAILABLE' } });
  await closed;
});

it('a closed market leaves its path to another market, and until then the path answers 503', async () => {
  const first = await attached();
  // A listener of the host that answers other paths only.
  server.on('upgrade', () => undefined);
  await expect(attached()).rejects.toThrow('/api/v2/ws is attached to this server already');
  await first.pm.close();
  expect((await open()).refusal).toMatchObject({ status: 503, body: { code: 'SERVICE_UNAVAILABLE' } });
  const second = await attached();
  const client = await open();
  expect(client.received).toMatchObject([{ type: 'welcome', ...second.pm.position() }]);
  // The first market has no hold on the path of the second.
  await first.pm.close();
  expect((await open()).refusal).toBeNull();
});
