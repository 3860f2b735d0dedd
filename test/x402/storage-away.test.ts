/**
 * If the storage goes away during the work on a payment, the payer must not sign again. The answer says what to do
 * instead.
 */
import { memoryStorage } from '../../adapters/storage/memory';
import { serviceUnavailable } from '../../src/domain/errors';
import type { Storage } from '../../src/ports/storage';
import { fakeFacilitator, type FakeFacilitator } from '../../testing/fake-facilitator';
import { startService, wallet, type Service } from '../http/support/service';
import { DEPOSIT, MARKETS, paymentFor, send, type PaidCall } from './support/calls';

const payer = wallet(897);
const LEASE_MS = 6_000;
let facilitator: FakeFacilitator;
let service: Service;
let away: boolean;

beforeEach(async () => {
  away = false;
  const inner = memoryStorage();
  const storage: Storage = {
    ...inner,
    transaction: (work) =>
      away ? Promise.reject(serviceUnavailable('The storage is away')) : inner.transaction(work),
  };
  const fake = fakeFacilitator();
  facilitator = {
    ...fake,
    async settle(payment, requirements) {
      const result = await fake.settle(payment, requirements);
      away = true;
      return result;
    },
  };
  service = await startService({ storage, facilitator, jobIntervalMs: 86_400_000 });
  await service.approve(payer);
});
afterEach(async () => {
  away = false;
  await service.close();
});

it.each([DEPOSIT, MARKETS])(
  'a payment for $name is answered in the end, and charged once',
  async (call: PaidCall) => {
    const body = call.body?.(service) ?? {};
    const request = { ...call, body: () => body };
    const headers = await paymentFor(service, payer, request);
    const first = await send(service, request, headers);
    expect(first.body).toMatchObject({
      code: 'SETTLEMENT_PENDING',
      message: expect.stringMatching(/same payment/),
    });
    expect([first.status, first.headers['retry-after']]).toEqual([503, '2']);
    away = false;
    service.clock.advance(LEASE_MS);
    expect((await send(service, request, headers)).status).toBe(201);
    expect(facilitator.calls.filter(({ method }) => method === 'settle')).toHaveLength(1);
  },
);
