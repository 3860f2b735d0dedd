/** The money has moved while the storage is away. The instance stores the settlement when the storage is back. */
import { memoryStorage } from '../../adapters/storage/memory';
import { serviceUnavailable } from '../../src/domain/errors';
import { silentLogger } from '../../src/ports/logger';
import type { Storage } from '../../src/ports/storage';
import { fakeFacilitator, type FakeFacilitator } from '../../testing/fake-facilitator';
import { fakeOracle } from '../../testing/fake-oracle';
import { startService, wallet, OPS, type Service } from '../http/support/service';
import { DEPOSIT, FEED, MARKETS, ORACLE, paymentFor, send, type PaidCall } from './support/calls';
import { until } from '../support/until';

const payer = wallet(871);
const LEASE_MS = 6_000;
const DAY_MS = 86_400_000;
const SPENT = { status: 'spent', reason: 'nonce already used' } as const;
const NOT_KNOWN = { status: 'unknown', reason: 'there is no chain to ask' } as const;

let data: Storage;
let away: boolean;
let facilitator: FakeFacilitator;
let services: Service[];

beforeEach(() => {
  data = memoryStorage();
  away = false;
  facilitator = fakeFacilitator();
  services = [];
});
afterEach(async () => {
  away = false;
  for (const service of services) await service.close();
  await data.close();
});

async function start(storage: Storage): Promise<Service> {
  const opened = services.length > 0;
  const service = await startService({
    storage: {
      ...storage,
      open: (context) => (opened ? Promise.resolve() : storage.open(context)),
      close: () => Promise.resolve(),
    },
    facilitator,
    oracle: fakeOracle(),
    jobIntervalMs: DAY_MS,
  });
  services.push(service);
  await service.approve(payer);
  return service;
}

async function startFirst(): Promise<Service> {
  const refuse = (): Promise<never> => Promise.reject(serviceUnavailable('The storage is away'));
  const service = await start({
    ...data,
    transaction: (work) => (away ? refuse() : data.transaction(work)),
    read: (work) => (away ? refuse() : data.read(work)),
  });
  const settle = facilitator.settle.bind(facilitator);
  facilitator.settle = async (payment, requirements) => {
    const result = await settle(payment, requirements);
    if (facilitator.calls.filter(({ method }) => method === 'settle').length > 1) return SPENT;
    away = true;
    facilitator.lookupWith(NOT_KNOWN);
    return result;
  };
  return service;
}

async function statusOf(service: Service): Promise<string | undefined> {
  const response = await service.call('get', `${OPS}/payments`);
  return (response.body as { payments: { status: string }[] }).payments[0]?.status;
}

const fixed = (service: Service, call: PaidCall): PaidCall => {
  const body = call.body?.(service);
  return { ...call, ...(body !== undefined && { body: () => body }) };
};

it('a settlement that the rejection of an operator finds is in the log if the storage fails just then', async () => {
  facilitator.settleWith(NOT_KNOWN);
  facilitator.lookupWith(NOT_KNOWN);
  const logged: object[] = [];
  const refuse = (): Promise<never> => Promise.reject(serviceUnavailable('The storage is away'));
  const service = await startService({
    storage: { ...data, transaction: (work) => (away ? refuse() : data.transaction(work)) },
    facilitator,
    jobIntervalMs: DAY_MS,
    logger: { ...silentLogger, error: (fields, message) => void logged.push({ ...fields, message }) },
  });
  services.push(service);
  await send(service, DEPOSIT, await paymentFor(service, payer, DEPOSIT));
  facilitator.lookup = async () => {
    away = true;
    return { status: 'settled', transaction: '0x5e', spentAt: Math.floor(service.clock.now() / 1000) };
  };
  await expect(service.pm.rejectPayment({ id: 1, reason: 'never seen' })).rejects.toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
  });
  expect(logged).toContainEqual(expect.objectContaining({ paymentId: 1, transaction: '0x5e' }));
});

it.each([DEPOSIT, MARKETS, FEED, ORACLE])(
  'a settlement of $name that only this instance knows is stored when the storage is back, and the payer is answered',
  async (call) => {
    const service = await startFirst();
    const request = fixed(service, call);
    const headers = await paymentFor(service, payer, request);
    expect((await send(service, request, headers)).body).toMatchObject({ code: 'SETTLEMENT_PENDING' });
    expect((await send(service, request, headers)).status).toBe(503);
    away = false;
    await until(async () => (await statusOf(service)) === 'settled');
    expect((await send(service, request, headers)).status).toBe(call.status);
    await until(async () => (await statusOf(service)) === 'delivered');
    expect((await send(service, request, headers)).status).toBe(402);
  },
);

it('a known settlement is stored although the lease has passed on, and another instance has given up finding out', async () => {
  const service = await startFirst();
  const headers = await paymentFor(service, payer, DEPOSIT);
  await send(service, DEPOSIT, headers);
  const other = await start(data);
  other.clock.advance(LEASE_MS);
  await other.pm.runJobs();
  expect(await statusOf(other)).toBe('submitted');
  expect((await send(other, DEPOSIT, headers)).body).toMatchObject({ code: 'SETTLEMENT_PENDING' });
  away = false;
  await until(async () => (await statusOf(other)) === 'settled');
  other.clock.advance(DAY_MS);
  await other.pm.runJobs();
  expect((await other.pm.getAccount({ address: payer.address })).balance).toBe(25);
  expect((await send(other, DEPOSIT, headers)).status).toBe(201);
  expect(await other.pm.audit()).toMatchObject({ ok: true });
});

it('a known settlement is stored although the payment was rejected meanwhile, because proof holds against absence', async () => {
  const service = await startFirst();
  const headers = await paymentFor(service, payer, DEPOSIT);
  await send(service, DEPOSIT, headers);
  const other = await start(data);
  other.clock.advance(LEASE_MS);
  facilitator.lookupWith({ status: 'invalid', reason: 'cancelled' });
  await other.pm.runJobs();
  expect(await statusOf(other)).toBe('rejected');
  away = false;
  await until(async () => (await statusOf(other)) !== 'rejected');
  await other.pm.runJobs();
  expect((await other.pm.getAccount({ address: payer.address })).balance).toBe(25);
});

it('a known settlement is stored when the instance closes', async () => {
  const service = await startFirst();
  await send(service, DEPOSIT, await paymentFor(service, payer, DEPOSIT));
  const other = await start(data);
  away = false;
  await service.pm.close();
  expect(await statusOf(other)).toBe('settled');
});

it('a known settlement is in the log while it is not stored, with all that an operator needs to confirm it', async () => {
  const service = await startFirst();
  await send(service, DEPOSIT, await paymentFor(service, payer, DEPOSIT));
  await service.pm.close();
  expect(service.errors).toContainEqual(
    expect.objectContaining({
      message: expect.stringMatching(/confirm the payment by hand/),
      paymentId: 1,
      payer: payer.address.toLowerCase(),
      transaction: expect.stringMatching(/^0x/),
    }),
  );
});
