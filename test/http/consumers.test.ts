import type { ConsumedFact, ConsumerHandle } from '../../src';
import type { ConsumerView } from '../../src/views/consumer';
import { API, OPS, startService, wallet, type Service } from './support/service';

const PATH = `${OPS}/consumers`;
const alice = wallet(740).address;

let service: Service;
let handle: ConsumerHandle;
let handled: number[];
let failing: Set<number>;

const post = (path: string, body: unknown = {}) => service.call('post', path, { body });
const parkedIds = async (): Promise<string[]> => {
  const { body } = await service.call('get', `${PATH}/books/parked`);
  return (body as { parked: { id: string }[] }).parked.map(({ id }) => id);
};
const theConsumer = async (): Promise<ConsumerView | undefined> =>
  (await service.pm.consumers()).consumers[0];

beforeEach(async () => {
  service = await startService();
  handled = [];
  failing = new Set([2, 3]);
  const note = (_events: unknown, { seq }: ConsumedFact): void => {
    if (failing.has(seq)) throw new Error('There is no pen.');
    handled.push(seq);
  };
  handle = await service.pm.consume('books', note, { from: 'oldest', attempts: 1 });
  for (const reference of ['a', 'b', 'c', 'd'])
    await service.pm.deposit({ address: alice, amount: 1, reference });
  await service.pm.runJobs();
});
afterEach(() => service.close());

it('an operator sees the alarms of the instance', async () => {
  const { body } = await service.call('get', `${OPS}/alarms`);
  const alarms = service.pm.alarms();
  expect(alarms).toMatchObject([{ name: 'consumer-parked', subject: 'consumer books' }]);
  expect(body).toEqual({
    alarms: alarms.map((alarm) => ({ ...alarm, since: new Date(alarm.since).toISOString() })),
  });
});

it('an operator sees how far a consumer is, and what it has parked', async () => {
  const { epoch } = service.pm.eventPosition();
  const { body } = await service.call('get', PATH);
  expect(body).toMatchObject({
    consumers: [
      {
        name: 'books',
        status: 'running',
        reason: null,
        position: { epoch, seq: 4 },
        behind: 0,
        waitingSince: null,
        failures: 0,
        lastError: 'Error: There is no pen.',
        parked: 2,
      },
    ],
  });
  const parked = await service.call('get', `${PATH}/books/parked?limit=1`);
  expect(parked.body).toMatchObject({
    parked: [
      {
        id: `${epoch}:2`,
        seq: 2,
        kind: 'balance',
        failures: 1,
        error: 'Error: There is no pen.',
        redo: false,
      },
    ],
    total: 2,
    limit: 1,
    offset: 0,
  });
  await handle.stop();
  expect(await theConsumer()).toMatchObject({ status: 'idle', owner: null });
});

it('a parked fact is tried once more, and stays parked if it fails again', async () => {
  const [second = '', third = ''] = await parkedIds();
  failing.delete(2);
  expect((await post(`${PATH}/books/redo`)).body).toMatchObject({ parked: 2 });
  await service.pm.runJobs();
  expect(handled).toEqual([1, 4, 2]);
  expect(await parkedIds()).toEqual([third]);
  expect((await post(`${PATH}/books/redo`, { fact: second })).status).toBe(404);
  failing.clear();
  await post(`${PATH}/books/redo`, { fact: third });
  await service.pm.runJobs();
  expect(handled).toEqual([1, 4, 2, 3]);
  expect(await theConsumer()).toMatchObject({ parked: 0 });
  expect(service.pm.alarms()).toEqual([]);
});

it('a parked fact is skipped', async () => {
  const [second, third] = await parkedIds();
  failing.clear();
  expect((await post(`${PATH}/books/skip`, { fact: second })).body).toMatchObject({ parked: 1 });
  expect((await post(`${PATH}/books/skip`, { fact: second })).status).toBe(404);
  await post(`${PATH}/books/redo`);
  await service.pm.runJobs();
  expect([handled, await parkedIds(), third !== undefined]).toEqual([[1, 4, 3], [], true]);
});

it('a consumer resumes elsewhere, also while an instance works on it', async () => {
  failing.clear();
  expect((await post(`${PATH}/books/resume`, { seq: 3 })).body).toMatchObject({ position: { seq: 2 } });
  await service.pm.deposit({ address: alice, amount: 1, reference: 'e' });
  await service.pm.runJobs();
  await service.pm.runJobs();
  expect(handled.slice(-3)).toEqual([3, 4, 5]);
  await post(`${PATH}/books/resume`, { from: 'oldest' });
  expect(await theConsumer()).toMatchObject({ position: { seq: 0 }, behind: 5 });
  await post(`${PATH}/books/resume`, { from: 'now' });
  expect(await theConsumer()).toMatchObject({ position: { seq: 5 }, behind: 0 });
});

it.each([[{}], [{ from: 'now', seq: 1 }], [{ from: 'then' }], [{ seq: 0 }], [{ seq: 6 }]])(
  'a consumer does not resume from %j',
  async (body) => {
    expect((await post(`${PATH}/books/resume`, body)).status).toBe(400);
    expect(await theConsumer()).toMatchObject({ position: { seq: 4 } });
  },
);

it('a consumer is removed once no instance works on it, and what is unknown is a 404', async () => {
  const remove = () => service.call('delete', `${PATH}/books`);
  expect(await remove()).toMatchObject({ status: 409, body: { code: 'CONSUMER_IN_USE' } });
  await handle.stop();
  expect(await remove()).toMatchObject({ status: 200, body: { name: 'books', removed: true } });
  expect((await remove()).status).toBe(404);
  expect((await service.call('get', `${PATH}/books/parked`)).status).toBe(404);
  for (const [verb, body] of Object.entries({ redo: {}, skip: { fact: 'a:1' }, resume: { from: 'now' } }))
    expect((await post(`${PATH}/books/${verb}`, body)).status).toBe(404);
  expect((await service.call('get', PATH)).body).toEqual({ consumers: [] });
});

it('the public API has no such route', async () => {
  expect((await service.call('get', `${API}/consumers`)).status).toBe(404);
});
