import { createServer, request as httpRequest, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Facilitator } from '../../src/ports/facilitator';
import { fakeFacilitator, type FakeFacilitator } from '../../testing/fake-facilitator';
import { API, OPS, startService, wallet, type Service } from '../http/support/service';
import { buy, DEPOSIT, FEED, paymentFor, send } from './support/calls';
import { until } from '../support/until';
import { createGate, type Gate } from '../support/gate';

const payer = wallet(841);
let service: Service;
let server: Server;
let fake: FakeFacilitator;
let gate: Gate | null;
let settling: number;

beforeEach(async () => {
  fake = fakeFacilitator();
  gate = null;
  settling = 0;
  const facilitator: Facilitator = {
    ...fake,
    async settle(payment, requirements) {
      settling += 1;
      await gate?.opened;
      return fake.settle(payment, requirements);
    },
  };
  service = await startService({ facilitator, jobIntervalMs: 86_400_000 });
  server = createServer(service.app);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await service.close();
});

async function statuses(): Promise<string[]> {
  const response = await service.call('get', `${OPS}/payments`);
  return (response.body as { payments: { status: string }[] }).payments.map(({ status }) => status);
}

async function leaveEarly(headers: Record<string, string>): Promise<void> {
  const { port } = server.address() as AddressInfo;
  const body = JSON.stringify(DEPOSIT.body?.(service));
  const gone = new Promise<void>((resolve) => {
    const sent = httpRequest(
      {
        port,
        host: '127.0.0.1',
        method: 'POST',
        path: API + DEPOSIT.path,
        headers: { ...headers, 'Content-Type': 'application/json' },
      },
      () => resolve(),
    );
    sent.on('error', () => resolve());
    sent.end(body);
    void until(() => settling === 1).then(() => sent.destroy());
  });
  await gone;
  await until(() => new Promise((resolve) => server.getConnections((_error, count) => resolve(count === 0))));
}

it('a payer who left before the answer gets it once when coming again', async () => {
  gate = createGate();
  const headers = await paymentFor(service, payer, DEPOSIT);
  await leaveEarly(headers);
  expect((await send(service, DEPOSIT, headers)).status).toBe(402);
  gate.open();
  await until(async () => (await statuses()).join() === 'settled');
  const answer = await send(service, DEPOSIT, headers);
  expect([answer.status, answer.body]).toMatchObject([201, { amount: 25, balance: 25 }]);
  expect(answer.headers['x-payment-response']).toEqual(expect.any(String));
  expect((await send(service, DEPOSIT, headers)).status).toBe(402);
  expect([await statuses(), settling]).toEqual([['delivered'], 1]);
});

it('copies at once get one and the same answer until it is delivered', async () => {
  gate = createGate();
  const headers = await paymentFor(service, payer, DEPOSIT);
  await leaveEarly(headers);
  gate.open();
  await until(async () => (await statuses()).join() === 'settled');
  const answers = await Promise.all([1, 2, 3].map(() => send(service, DEPOSIT, headers)));
  expect(answers.map(({ status }) => status)).toContain(201);
  for (const { status, body } of answers)
    expect([status, body]).toMatchObject(
      status === 201 ? [201, { amount: 25, balance: 25 }] : [402, { code: 'PAYMENT_INVALID' }],
    );
  expect([await statuses(), settling]).toEqual([['delivered'], 1]);
});

it('closing waits for the settlement under way', async () => {
  gate = createGate();
  const headers = await paymentFor(service, payer, DEPOSIT);
  const answer = send(service, DEPOSIT, headers);
  // Supertest sends the request only when its promise is awaited.
  const answered = answer.then(({ status }) => status);
  await until(() => settling === 1);
  const closed = service.close();
  gate.open();
  await closed;
  expect(await answered).toBe(201);
});

it('operators list payments by status, newest first', async () => {
  await buy(service, payer, FEED);
  fake.verifyWith({ status: 'insufficient_funds' });
  await buy(service, payer, FEED);
  fake.verifyWith({ status: 'valid' });
  await buy(service, payer, DEPOSIT);
  await until(async () => (await statuses()).join() === 'delivered,rejected,delivered');
  const list = async (query: string) =>
    (await service.call('get', `${OPS}/payments${query}`)).body as unknown;
  expect(await list('?status=rejected')).toEqual({
    payments: [
      {
        id: 2,
        status: 'rejected',
        operation: 'feed',
        payer: payer.address,
        asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
        nonce: expect.stringMatching(/^0x[0-9a-f]{64}$/),
        validBefore: '2027-03-01T12:05:00.000Z',
        amount: 0.001,
        transaction: null,
        reason: 'insufficient_funds',
        decision: null,
        createdAt: '2027-03-01T12:00:00.000Z',
        updatedAt: '2027-03-01T12:00:00.000Z',
      },
    ],
    limit: 20,
    offset: 0,
    hasMore: false,
  });
  expect(await list('?status=delivered&limit=1')).toMatchObject({
    payments: [{ id: 3, operation: 'deposit' }],
    hasMore: true,
  });
  expect(await list('?limit=2&offset=1')).toMatchObject({ payments: [{ id: 2 }, { id: 1 }], hasMore: false });
  expect((await service.call('get', `${OPS}/payments?status=lost`)).status).toBe(400);
});
