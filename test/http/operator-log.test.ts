import { memoryStorage } from '../../adapters/storage/memory';
import type { Storage } from '../../src/ports/storage';
import { altered } from '../storage/broken/altered';
import { createMarket, OPS, startService, wallet, type Service } from './support/service';

const owner = wallet(901);
let service: Service;
let name: unknown;
let isBroken: boolean;

function brittle(storage: Storage): Storage {
  return altered(storage, {
    transaction: ({ operatorLog }) => ({
      operatorLog: {
        ...operatorLog,
        append: (act) => (isBroken ? Promise.reject(new Error('no row')) : operatorLog.append(act)),
      },
    }),
  });
}

beforeEach(async () => {
  name = 'Ann';
  isBroken = false;
  service = await startService({ storage: brittle(memoryStorage()), operatorName: () => name as string });
});
afterEach(() => service.close());

const log = async (query = '') => {
  const answer = await service.call('get', `${OPS}/log${query}`);
  return answer.body as { acts: Record<string, unknown>[]; hasMore: boolean };
};
const path = `${OPS}/creators/${owner.address}`;
const deposit = { amount: 5.25, reference: 'wire 1' };
const depositPath = `${OPS}/accounts/${owner.address}/deposits`;

it('the log tells who did what and when, newest first, page by page, by action', async () => {
  await service.call('post', `${path}/approve`);
  name = 'Bob';
  service.clock.advance(1_000);
  await service.call('post', depositPath, { body: deposit });
  const acts = [
    { id: 2, operator: 'Bob', action: 'account.deposit', target: owner.address, details: deposit },
    { id: 1, operator: 'Ann', action: 'creator.approve', target: owner.address, details: {} },
  ];
  expect(await log()).toMatchObject({ acts, hasMore: false });
  expect(await log('?limit=1')).toMatchObject({ acts: [acts[0]], hasMore: true });
  expect(await log('?limit=1&offset=1')).toMatchObject({ acts: [acts[1]], hasMore: false });
  expect(await log('?action=creator.approve')).toMatchObject({ acts: [acts[1]], hasMore: false });
  expect((await service.call('get', `${OPS}/log?action=creator`)).status).toBe(400);
  expect((await log()).acts[0]?.['at']).toBe(new Date(service.clock.now()).toISOString());
});

it('the log is filtered by operator, target and time', async () => {
  await service.call('post', `${path}/approve`);
  name = 'Bob';
  service.clock.advance(1_000);
  const at = new Date(service.clock.now()).toISOString();
  await service.call('post', depositPath, { body: deposit });
  await service.call('post', `${OPS}/treasury/deposits`, { body: { amount: 1, reference: 'house' } });
  const idsOf = async (query: string) => (await log(query)).acts.map(({ id }) => id);
  expect(await idsOf('?operator=Bob')).toEqual([3, 2]);
  expect(await idsOf(`?target=${owner.address}`)).toEqual([2, 1]);
  expect(await idsOf(`?target=${owner.address.toLowerCase()}&operator=Ann`)).toEqual([1]);
  expect(await idsOf(`?since=${at}`)).toEqual([3, 2]);
  expect(await idsOf(`?until=${at}`)).toEqual([1]);
  expect(await idsOf(`?since=${at}&target=treasury&action=treasury.deposit&limit=1`)).toEqual([3]);
  expect((await service.call('get', `${OPS}/log?since=yesterday`)).status).toBe(400);
  const { acts } = await service.pm.listOperatorLog({ operator: 'Ann', until: at });
  expect(acts.map(({ id }) => id)).toEqual([1]);
});

it('an act on a market has its question, and other acts have none', async () => {
  const market = String(await createMarket(service, owner));
  const { question } = await service.pm.getMarket(Number(market));
  await service.call('post', `${OPS}/markets/${market}/close`);
  await service.call('post', `${OPS}/markets/${market}/resolve`, { body: { outcome: 'YES' } });
  await service.call('post', depositPath, { body: deposit });
  // The key and a market have the same id, so a careless look-up would find the question of the market.
  const { keys } = await service.pm.listKeys({ address: owner.address });
  await service.call('delete', `${OPS}/keys/${keys[0]?.id ?? 0}`);
  const { acts } = await log();
  expect(acts.slice(0, 4).map(({ action, question: of }) => [action, of])).toEqual([
    ['key.revoke', null],
    ['account.deposit', null],
    ['market.resolve', question],
    ['market.close', question],
  ]);
  expect((await service.pm.listOperatorLog({ action: 'market.close' })).acts).toMatchObject([{ question }]);
});

it('the typed methods name the operator, or the host', async () => {
  await service.pm.deposit({ address: owner.address, ...deposit }, { operator: 'Eve' });
  await service.pm.rejectCreator({ address: owner.address, reason: 'Spam.' });
  const acts = [
    { operator: 'host', action: 'creator.reject', details: { reason: 'Spam.' } },
    { operator: 'Eve', action: 'account.deposit' },
  ];
  expect(await service.pm.listOperatorLog()).toMatchObject({ acts, limit: 20, offset: 0 });
  await expect(
    service.pm.approveCreator({ address: owner.address }, { operator: 'two\nlines' }),
  ).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
});

it('what was refused, what was not found and what changed nothing leaves no row', async () => {
  const market = String(await createMarket(service, owner));
  await service.call('post', depositPath, { body: deposit });
  await service.call('post', `${OPS}/markets/${market}/resolve`, { body: { outcome: 'YES' } });
  const before = await log();
  const requests: [method: string, path: string, body?: object][] = [
    ['post', depositPath, deposit],
    ['post', depositPath, { ...deposit, amount: 6 }],
    ['post', `${path}/approve`],
    ['post', `${OPS}/markets/${market}/resolve`, { outcome: 'YES' }],
    ['post', `${OPS}/markets/${market}/resolve`, { outcome: 'NO' }],
    ['post', `${OPS}/markets/${market}/close`],
    ['post', `${OPS}/markets/${market}/resolution/retry`],
    ['delete', `${OPS}/keys/99`],
    ['patch', `${OPS}/keys/99`, { rateLimit: 5 }],
    ['delete', `${OPS}/webhooks/9`],
    ['post', `${OPS}/webhooks/9/enable`],
    ['delete', `${OPS}/consumers/none`],
    ['post', `${OPS}/payments/9/confirm`, { reason: 'r' }],
    ['post', `${OPS}/withdrawals/9/fail`, { reason: 'r' }],
  ];
  for (const [method, to, body] of requests) await service.call(method, to, { ...(body && { body }) });
  expect(await log()).toEqual(before);
});

it.each([
  ['an empty name', ''],
  ['two lines', 'a\nb'],
  ['a name that is too long', 'a'.repeat(101)],
  ['no text', 7],
])('an act without a known operator does not happen: %s', async (_case, given) => {
  name = given;
  expect((await service.call('post', depositPath, { body: deposit })).status).toBe(500);
  expect((await service.pm.getAccount({ address: owner.address })).balance).toBe(0);
  expect((await service.pm.listOperatorLog()).acts).toEqual([]);
});

it('an act and its row are one: without the row, nothing has changed', async () => {
  isBroken = true;
  expect((await service.call('post', depositPath, { body: deposit })).status).toBe(500);
  expect((await service.call('post', `${path}/approve`)).status).toBe(500);
  expect((await service.pm.getAccount({ address: owner.address })).balance).toBe(0);
  expect(await service.pm.listCreators()).toMatchObject({ total: 0 });
});

it('no secret is logged: neither the address of a webhook nor what signs', async () => {
  const url = 'https://user:hidden@receiver.test/hidden?token=hidden';
  const made = await service.pm.createWebhook({ url }).catch(() => null);
  const webhook =
    made ?? (await service.pm.createWebhook({ url: 'https://receiver.test/hidden?token=hidden' }));
  const rotated = await service.pm.rotateWebhookSecret({ id: webhook.id });
  const text = JSON.stringify(await service.pm.listOperatorLog());
  expect(text).toContain('receiver.test');
  for (const secret of ['hidden', webhook.secret, rotated.secret]) expect(text).not.toContain(secret);
});
