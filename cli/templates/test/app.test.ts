/** The app over a market in memory, whose clock and oracle the test controls. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { createTestMarket, type TestMarket } from 'express-prediction-market/testing';
import { createApp } from '../src/app.ts';

const ADMIN_TOKEN = 'the-token-of-this-test';
const DAY_MS = 86_400_000;
let kit: TestMarket;
let server: Server;
let base: string;

before(async () => {
  kit = await createTestMarket();
  const { app } = createApp({ adminToken: ADMIN_TOKEN, trustProxy: 1, pm: kit.pm });
  server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
after(async () => {
  server.close();
  server.closeAllConnections();
  await kit.close();
});

test('a trade moves the price, and the winner is paid', async () => {
  const alice = kit.wallet('alice');
  await kit.fund(alice, 100);
  const { id } = await kit.createMarket({ question: 'Will it rain tomorrow?' });
  const response = await fetch(`${base}/api/v2/public/markets/${id}/trade`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': await kit.apiKey(alice) },
    body: JSON.stringify({ side: 'YES', amount: 10 }),
  });
  assert.equal(response.status, 201);
  assert.ok((await kit.pm.getMarket(id)).yesPrice > 0.5);

  kit.oracle.answer('YES');
  kit.clock.advance(DAY_MS);
  await kit.runJobs();
  assert.ok((await kit.pm.getBalance({ wallet: alice.address })).balance > 100);
});

test('the routes of operators need the token', async () => {
  const ask = (token: string) =>
    fetch(`${base}/api/v2/admin/audit`, { headers: { authorization: `Bearer ${token}` } });
  assert.equal((await ask('a-wrong-token')).status, 401);
  const audit = await ask(ADMIN_TOKEN);
  assert.equal(audit.status, 200);
  assert.equal(((await audit.json()) as { ok: boolean }).ok, true);
});

test('wrong tokens of an address are answered with 429 in the end, and the right one is let in', async () => {
  const statusOf = async (token: string, address: string): Promise<number> => {
    const headers = { authorization: `Bearer ${token}`, 'x-forwarded-for': address };
    return (await fetch(`${base}/api/v2/admin/audit`, { headers })).status;
  };
  for (let times = 0; times < 20; times += 1) assert.equal(await statusOf('a-wrong-token', '192.0.2.1'), 401);
  assert.equal(await statusOf('a-wrong-token', '192.0.2.1'), 429);
  assert.equal(await statusOf(ADMIN_TOKEN, '192.0.2.1'), 200);
  assert.equal(await statusOf('a-wrong-token', '192.0.2.2'), 401);
});
// if pages

test('the pages are there', async () => {
  const page = await fetch(`${base}/`);
  assert.equal(page.status, 200);
  assert.match(await page.text(), /<!doctype html>/);
});
// end
