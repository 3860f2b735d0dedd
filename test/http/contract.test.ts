import type { Response } from 'supertest';
import { OPERATOR_ACTIONS } from '../../src/domain/operator-acts';
import type { OpenApiDocument } from '../../src/http/openapi/document';
import type { Oracle } from '../../src/ports/oracle';
import { fakeFacilitator } from '../../testing/fake-facilitator';
import { fakePayout } from '../../testing/fake-payout';
import { buy, FEED, PAID_CALLS } from '../x402/support/calls';
import { createContract } from './support/contract';
import { API, createMarket, OPS, startService, wallet, type Service } from './support/service';

const owner = wallet(701);
const facilitator = fakeFacilitator();
const payout = fakePayout();
/** A single voter can only propose an outcome, so the market waits for an operator. */
const loneJudge: Oracle = {
  name: 'lone judge',
  role: 'judge',
  ask: async () => ({
    outcome: 'YES',
    probability: 0.97,
    confidence: 0.9,
    citations: [
      { url: 'https://example.org/', title: 'Rain', quote: null, publishedAt: null, retrievedAt: null },
    ],
  }),
};
let service: Service;
const logged: [request: string, id: number | undefined][] = [];

function noting(started: Service): Service {
  const call: Service['call'] = async (method, path, sent) => {
    const answer = await started.call(method, path, sent);
    if (path.startsWith(OPS) && method !== 'get' && answer.status < 300) {
      const [newest] = (await started.pm.listOperatorLog({ limit: 1 })).acts;
      logged.push([`${method} ${path}`, newest?.id]);
    }
    return answer;
  };
  return { ...started, call };
}
beforeAll(async () => {
  payout.progressWith({ status: 'pending', trouble: 'its key was replaced' });
  service = noting(await startService({ facilitator, payout, oracle: loneJudge }));
});
afterAll(() => service.close());

/** One entry such as `get /path 200` for each declared success. */
function declaredSuccesses(document: OpenApiDocument, prefix = ''): string[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) =>
      Object.keys(operation.responses)
        .filter((status) => status.startsWith('2'))
        .map((status) => `${method} ${prefix}${path} ${status}`),
    ),
  );
}

async function document(path: string): Promise<OpenApiDocument> {
  return (await service.call('get', path)).body as OpenApiDocument;
}

async function decideOnPayment(verb: 'confirm' | 'reject'): Promise<void> {
  facilitator.settleWith({ status: 'unknown', reason: 'time-out' });
  facilitator.lookupWith({ status: 'unknown', reason: 'there is no chain to ask' });
  await buy(service, owner, FEED);
  const [payment] = (await service.pm.listPayments({ status: 'submitted' })).payments;
  const path = `${OPS}/payments/${String(payment?.id)}/${verb}`;
  await service.call('post', path, { body: { reason: 'Seen on the explorer.' } });
}

async function useConsumers(): Promise<void> {
  const fail = (): Promise<void> => Promise.reject(new Error('There is no pen.'));
  const handle = await service.pm.consume('books', fail, { from: 'oldest', attempts: 1 });
  await service.pm.runJobs();
  await handle.stop();
  await service.call('get', `${OPS}/consumers`);
  const parked = await service.call('get', `${OPS}/consumers/books/parked`);
  const [{ id: fact }] = (parked.body as { parked: [{ id: string }] }).parked;
  for (const verb of ['redo', 'skip'])
    await service.call('post', `${OPS}/consumers/books/${verb}`, { body: { fact } });
  await service.call('post', `${OPS}/consumers/books/resume`, { body: { from: 'now' } });
  await service.call('delete', `${OPS}/consumers/books`);
}

it('every route answers as the document declares', async () => {
  const market = await createMarket(service, owner);
  const key = await service.issueKey(owner);
  await service.fund(owner, 50);
  await service.call('post', `${API}/creator/apply`, { body: await service.signed(owner, 'apply') });
  for (const action of ['regenerate', 'revoke']) {
    const body = await service.signed(owner, action, { keyId: 1 + Number(action === 'revoke') });
    await service.call('post', `${API}/auth/keys/${String(1 + Number(action === 'revoke'))}/${action}`, {
      body,
    });
  }
  const other = await service.issueKey(owner);
  await service.call('post', `${API}/public/markets/${String(market)}/trade`, {
    key: other,
    body: { side: 'NO', amount: 5 },
  });
  for (const call of PAID_CALLS) await buy(service, owner, call);
  for (let stuck = 0; stuck < 2; stuck += 1)
    await service.call('post', `${API}/public/withdrawals`, { key: other, body: { amount: 5 } });
  const gets = [
    '/x402/info',
    ...['/health', '/ready', '/openapi.json', '/docs', '/asyncapi.json', '/docs/live'],
    ...[`/auth/keys?address=${owner.address}`, `/creator/status?address=${owner.address}`],
    ...['', '/1', '/1/trades', '/1/price', '/1/price?side=NO&amount=2', '/1/history'].map(
      (tail) => `/public/markets${tail}`,
    ),
    ...['/public/positions', '/public/positions/history', '/public/balance', '/public/limits'],
    ...['/public/deposits', '/public/creator/earnings', '/public/withdrawals', '/public/withdrawals/1'],
  ];
  // The test sends HEAD, because the answer to GET never ends.
  await service.call('head', `${API}/stream?channels=trades`);
  for (const path of gets) await service.call('get', API + path, { key: other });
  for (const verdict of ['reject', 'suspend']) {
    await service.call('post', `${OPS}/creators/${owner.address}/${verdict}`, { body: { reason: 'r' } });
  }
  await service.call('patch', `${OPS}/keys/3`, { body: { rateLimit: 100 } });
  await service.call('post', `${OPS}/markets/${String(market)}/close`);
  await service.pm.runJobs();
  await service.call('get', `${API}/public/markets/1/resolution`, { key: other });
  await service.call('post', `${OPS}/withdrawals/1/confirm`, {
    body: { transaction: `0x${'5e'.repeat(32)}` },
  });
  await service.call('post', `${OPS}/withdrawals/2/fail`, { body: { reason: 'Its nonce is used.' } });
  await service.call('get', `${OPS}/resolutions`);
  await service.call('get', `${OPS}/markets`);
  await service.call('get', `${OPS}/withdrawals`);
  await service.call('get', `${OPS}/markets/1/resolution`);
  await service.call('post', `${OPS}/markets/1/resolution/retry`);
  await service.call('post', `${OPS}/markets/${String(market)}/resolve`, { body: { outcome: 'VOID' } });
  await service.call('post', `${OPS}/treasury/deposits`, { body: { amount: 1, reference: 'capital' } });
  for (const verb of ['confirm', 'reject'] as const) await decideOnPayment(verb);
  for (const path of [
    '/creators',
    '/payments',
    '/alarms',
    '/audit',
    '/log',
    '/treasury',
    `/accounts/${owner.address}`,
    ...['keys', 'deposits', 'withdrawals', 'postings'].map((tail) => `/accounts/${owner.address}/${tail}`),
    '/openapi.json',
  ]) {
    await service.call('get', OPS + path);
  }
  await service.call('post', `${OPS}/webhooks`, { body: { url: 'https://receiver.invalid/' } });
  for (const verb of ['enable', 'replay', 'rotate'])
    await service.call('post', `${OPS}/webhooks/1/${verb}`, { body: verb === 'replay' ? { seq: 1 } : {} });
  await service.call('get', `${OPS}/webhooks/1/deliveries`);
  await service.call('get', `${OPS}/webhooks`);
  await service.call('delete', `${OPS}/webhooks/1`);
  await useConsumers();
  await service.call('get', `${API}/public/positions?status=all`, { key: other });
  await service.call('get', `${API}/public/positions/history`, { key: other });
  await service.call('delete', `${OPS}/keys/3`);
  expect(key).toMatch(/^pmk_/);

  const ids = logged.map(([, id]) => id ?? 0);
  expect(logged.filter((_, index) => (ids[index] ?? 0) <= (ids[index - 1] ?? 0))).toEqual([]);
  const { acts } = await service.pm.listOperatorLog({ limit: 100 });
  // Only the standalone server has a route that writes the action `sample.fill`.
  const ofRoutes = OPERATOR_ACTIONS.filter((action) => action !== 'sample.fill');
  expect(new Set(acts.map(({ action }) => action))).toEqual(new Set(ofRoutes));

  const own = declaredSuccesses(await document(`${API}/openapi.json`));
  expect(own.filter((name) => !service.contract.seen.has(name))).toEqual([]);
  const operators = declaredSuccesses(await document(`${OPS}/openapi.json`), OPS);
  const undocumentedHere = `get ${OPS}/openapi.json 200`;
  const missing = operators.filter(
    (name) => !service.adminContract.seen.has(name) && name !== undocumentedHere,
  );
  expect(missing).toEqual([]);
});

it('the check against the document sees a wrong answer', async () => {
  const contract = createContract(await document(`${API}/openapi.json`));
  const right = await service.call('get', `${API}/health`);
  const path = `${API}/health`;
  const altered = (change: object): Response =>
    ({
      ...right,
      type: right.type,
      text: right.text,
      headers: right.headers,
      body: right.body as unknown,
      status: right.status,
      ...change,
    }) as Response;
  expect(() => contract.check('get', path, altered({}))).not.toThrow();
  expect(() => contract.check('get', path, altered({ status: 418 }))).toThrow('is not declared');
  expect(() => contract.check('get', path, altered({ body: { status: 'bad' } }))).toThrow('must be equal');
  expect(() => contract.check('get', path, altered({ body: { status: 'ok', more: 1 } }))).toThrow(
    'additional',
  );
  expect(() =>
    contract.check('get', path, altered({ headers: { ...right.headers, 'content-type': 'text/html' } })),
  ).toThrow('text/html');
  expect(() =>
    contract.check('get', path, altered({ headers: { 'content-type': 'application/json' } })),
  ).toThrow('cached');
  expect(() => contract.check('get', `${API}/public/limits`, altered({ status: 200 }))).toThrow(
    'lacks X-RateLimit-Limit',
  );
});
