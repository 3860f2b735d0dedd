import type { Storage } from '../../src/ports/storage';
import { fakePayout } from '../../testing/fake-payout';
import { API, createService, wallet, type Service } from '../http/support/service';
import { lastingStorage } from '../support/lasting-storage';

const JOBS_OF_THE_TEST = { jobIntervalMs: 86_400_000 };

let storage: Storage;
let services: Service[];
beforeEach(async () => {
  storage = await lastingStorage();
  services = [];
});
afterEach(async () => {
  for (const service of services) await service.close();
});

async function start(options: object = {}): Promise<Service> {
  const service = await createService({ storage, ...JOBS_OF_THE_TEST, ...options } as never);
  services.push(service);
  await service.pm.start();
  return service;
}

async function withdraw({ pm, call, issueKey }: Service): Promise<number> {
  await pm.deposit({ address: wallet(1).address, amount: 50, reference: 'by bank' });
  const key = await issueKey(wallet(1));
  const headers = { 'Idempotency-Key': 'one' };
  return (await call('post', `${API}/public/withdrawals`, { key, headers, body: { amount: 20 } })).status;
}

it('the next instance sends a withdrawal at once, by the same clock', async () => {
  const first = await start();
  await first.pm.runJobs();
  await first.close();
  const payout = fakePayout();
  const next = await start({ payout });
  expect(await withdraw(next)).toBe(202);
  await next.pm.runJobs();
  expect(payout.submitted).toHaveLength(1);
});

it('another instance sends none while the first one runs', async () => {
  const first = await start();
  await first.pm.runJobs();
  const payout = fakePayout();
  const next = await start({ payout });
  expect(await withdraw(next)).toBe(202);
  await next.pm.runJobs();
  expect(payout.submitted).toEqual([]);
});

it('an instance that cannot give the lease up closes all the same', async () => {
  const first = await start();
  await first.pm.runJobs();
  storage.transaction = () => Promise.reject(new Error('the storage is away'));
  await first.close();
});
