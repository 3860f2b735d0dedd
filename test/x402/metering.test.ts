import { once } from 'node:events';
import { createServer, request as httpRequest, type ClientRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Response } from 'supertest';
import { memoryStorage } from '../../adapters/storage/memory';
import type { PredictionMarketOptions } from '../../src/prediction-market-options';
import type { VerifyResult } from '../../src/ports/facilitator';
import { fakeFacilitator, type FakeFacilitator } from '../../testing/fake-facilitator';
import { API, OPS, startService, wallet, type Service } from '../http/support/service';
import { FEED, MARKETS, paymentFor } from './support/calls';
import { createGate } from '../support/gate';

const payer = wallet(861);
const HERE = '192.0.2.7';
const ELSEWHERE = '192.0.2.8';
const MINUTE_MS = 60_000;

let facilitator: FakeFacilitator;
let service: Service;
beforeEach(() => {
  facilitator = fakeFacilitator();
});
afterEach(() => service.close());

async function start(options: Partial<PredictionMarketOptions> = {}): Promise<void> {
  service = await startService({ facilitator, jobIntervalMs: 86_400_000, ...options });
}

let payments = 0;
function pay(): Promise<Record<string, string>> {
  payments += 1;
  const nonce = `0x${payments.toString(16).padStart(64, '0')}`;
  return paymentFor(service, payer, FEED, { form: 'v2', change: { nonce } });
}
const sendFrom = (from: string, headers: Record<string, string>): Promise<Response> =>
  service.call('get', API + FEED.path, { from, headers });
const buyFrom = async (from: string): Promise<Response> => sendFrom(from, await pay());
const verifications = (): number => facilitator.calls.filter(({ method }) => method === 'verify').length;
async function stored(): Promise<number> {
  const { body } = await service.call('get', `${OPS}/payments?limit=100`);
  return (body as { payments: unknown[] }).payments.length;
}

function heldVerification(): (result: VerifyResult) => void {
  const { opened, open } = createGate<VerifyResult>();
  const { verify } = facilitator;
  facilitator.verify = async (payment, requirements) => {
    await verify(payment, requirements);
    return opened;
  };
  return open;
}

it('an address whose payments are refused is held up after 100 of them, and no other', async () => {
  await start();
  facilitator.verifyWith({ status: 'invalid', reason: 'worthless' });
  const codes: number[] = [];
  for (let sent = 0; sent < 130; sent += 1) codes.push((await buyFrom(HERE)).status);
  expect(codes).toEqual([...Array<number>(100).fill(402), ...Array<number>(30).fill(429)]);
  expect([verifications(), await stored()]).toEqual([100, 100]);

  const refused = await buyFrom(HERE);
  expect(refused.body).toMatchObject({
    error: 'RATE_LIMIT_EXCEEDED',
    code: 'RATE_LIMIT_EXCEEDED',
    retryAfter: 300,
  });
  expect(refused.headers['retry-after']).toBe('300');
  expect(Object.keys(refused.headers).filter((name) => name.startsWith('x-ratelimit'))).toEqual([]);
  expect((await sendFrom(HERE, {})).status).toBe(402);
  expect((await service.call('get', `${API}/x402/info`, { from: HERE })).status).toBe(200);
  expect((await buyFrom(ELSEWHERE)).status).toBe(402);

  service.clock.advance(5 * MINUTE_MS);
  facilitator.verifyWith({ status: 'valid' });
  expect((await buyFrom(HERE)).status).toBe(200);
});

it('payments that are good are not counted', async () => {
  await start({ refusedPaymentLimit: 3 });
  for (let sent = 0; sent < 20; sent += 1) expect((await buyFrom(HERE)).status).toBe(200);
});

it('payments that are refused before they cost anything hold up no other payer behind the same address', async () => {
  await start({ refusedPaymentLimit: 3 });
  const stale = await pay();
  service.clock.advance(10 * MINUTE_MS);
  for (let sent = 0; sent < 10; sent += 1) {
    expect((await sendFrom(HERE, { 'X-PAYMENT': 'nonsense' })).status).toBe(402);
    expect((await sendFrom(HERE, stale)).status).toBe(402);
  }
  expect([verifications(), await stored()]).toEqual([0, 0]);
  expect((await buyFrom(HERE)).status).toBe(200);
});

it('a payment that was refused once is refused again at no cost, and is not counted again', async () => {
  await start({ refusedPaymentLimit: 3 });
  facilitator.verifyWith({ status: 'invalid', reason: 'worthless' });
  const worthless = await pay();
  for (let sent = 0; sent < 6; sent += 1) expect((await sendFrom(HERE, worthless)).status).toBe(402);
  expect(verifications()).toBe(1);
});

it('an outage of ours does not count against the sender', async () => {
  await start({ refusedPaymentLimit: 3 });
  facilitator.verifyWith({ status: 'unavailable', reason: 'down' });
  for (let sent = 0; sent < 6; sent += 1) expect((await buyFrom(HERE)).status).toBe(503);
});

it('one address has a quarter of the payments in work at most, independent of its limit of refusals', async () => {
  await start({ refusedPaymentLimit: 2, paymentsInWorkLimit: 16 });
  const answer = heldVerification();
  const headers = await Promise.all(Array.from({ length: 10 }, pay));
  const sent = headers.map((payment) => sendFrom(HERE, payment));
  const early = await Promise.any(sent);
  expect([early.status, early.headers['retry-after']]).toEqual([429, '2']);
  answer({ status: 'valid' });
  const codes = (await Promise.all(sent)).map(({ status }) => status).sort();
  expect(codes).toEqual([...Array<number>(4).fill(200), ...Array<number>(6).fill(429)]);
  expect(verifications()).toBe(4);
  expect((await buyFrom(HERE)).status).toBe(200);
});

it('all addresses together have a ceiling, beyond which nothing is charged or stored', async () => {
  await start({ paymentsInWorkLimit: 2 });
  const answer = heldVerification();
  const headers = await Promise.all(Array.from({ length: 5 }, pay));
  const sent = headers.map((payment, index) => sendFrom(`192.0.2.${100 + index}`, payment));
  const early = await Promise.any(sent);
  expect([early.status, (early.body as { code: string }).code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
  answer({ status: 'valid' });
  const answers = await Promise.all(sent);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 503, 503, 503]);
  expect([verifications(), await stored()]).toEqual([2, 2]);
  const turnedAway = answers.findIndex(({ status }) => status === 503);
  expect((await sendFrom(HERE, headers[turnedAway] ?? {})).status).toBe(200);
});

it('a sender that withholds its body takes no place of a payment in work', async () => {
  await start({ paymentsInWorkLimit: 2 });
  const server = createServer(service.app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const headers = await paymentFor(service, payer, MARKETS, { form: 'v2' });
  const slow: ClientRequest[] = [];
  try {
    for (let sender = 0; sender < 3; sender += 1) {
      const path = API + MARKETS.path;
      const sent = { ...headers, 'Content-Type': 'application/json', 'Content-Length': '100' };
      const request = httpRequest({ port, host: '127.0.0.1', method: 'POST', path, headers: sent });
      request.on('error', () => undefined).write('{');
      slow.push(request);
      await once(server, 'request');
    }
    expect((await buyFrom(ELSEWHERE)).status).toBe(200);
  } finally {
    for (const request of slow) request.destroy();
    server.closeAllConnections();
    server.close();
  }
});

it('a refusal before anything was submitted is removed when the window of its payment has ended', async () => {
  await start();
  facilitator.verifyWith({ status: 'insufficient_funds' });
  const headers = await pay();
  expect((await sendFrom(HERE, headers)).status).toBe(402);
  service.clock.advance(4 * MINUTE_MS);
  await service.pm.runJobs();
  expect(await stored()).toBe(1);
  service.clock.advance(MINUTE_MS + 1_000);
  await service.pm.runJobs();
  expect(await stored()).toBe(0);
  facilitator.verifyWith({ status: 'valid' });
  expect((await sendFrom(HERE, headers)).status).toBe(402);
  expect([verifications(), await stored()]).toEqual([1, 0]);
});

it('a refusal after a submission is kept', async () => {
  await start({ storage: memoryStorage() });
  facilitator.settleWith({ status: 'unknown', reason: 'no answer' });
  facilitator.lookupWith({ status: 'invalid', reason: 'cancelled' });
  const headers = await pay();
  expect((await sendFrom(HERE, headers)).status).toBe(503);
  expect((await sendFrom(HERE, headers)).status).toBe(402);
  service.clock.advance(20 * MINUTE_MS);
  await service.pm.runJobs();
  expect(await stored()).toBe(1);
});
