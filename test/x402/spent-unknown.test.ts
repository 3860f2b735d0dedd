/**
 * Another sender has submitted the payment, and the look-up does not tell the time of the transfer. The service keeps
 * the time of the first presentation, which decides later whether the transfer counts as the payer's.
 */
import { memoryStorage } from '../../adapters/storage/memory';
import type { LookupResult } from '../../src/ports/facilitator';
import { fakeFacilitator, type FakeFacilitator } from '../../testing/fake-facilitator';
import { startService, wallet, type Service } from '../http/support/service';
import { DEPOSIT, paymentFor, send } from './support/calls';

const DAY_MS = 86_400_000;
const payer = wallet(871);
const TRANSACTION = `0x${'cd'.repeat(32)}`;

let facilitator: FakeFacilitator;
let service: Service;
beforeEach(async () => {
  facilitator = fakeFacilitator();
  service = await startService({ storage: memoryStorage(), facilitator, jobIntervalMs: DAY_MS });
});
afterEach(() => service.close());

const balance = async (): Promise<number> =>
  (await service.pm.getAccount({ address: payer.address })).balance;
const statuses = async (): Promise<string[]> =>
  (await service.pm.listPayments()).payments.map(({ status }) => status);

async function presented(found: LookupResult): Promise<() => Promise<string>> {
  facilitator.verifyWith({ status: 'spent', reason: 'used' });
  facilitator.lookupWith(found);
  const headers = await paymentFor(service, payer, DEPOSIT);
  const again = async (): Promise<string> => {
    const { status, body } = await send(service, DEPOSIT, headers);
    return `${status} ${(body as { code?: string }).code ?? ''}`;
  };
  expect(await again()).toBe('503 SETTLEMENT_PENDING');
  return again;
}

const UNTOLD: LookupResult[] = [
  { status: 'unknown', reason: 'no node' },
  { status: 'settled', transaction: TRANSACTION },
];

describe.each(UNTOLD)('a spent payment of which the look-up says only $status', (untold) => {
  const spentAt = (): number => Math.floor(service.clock.now() / 1000);

  it('is credited to a payer who repeats it after the look-up tells', async () => {
    const paid: LookupResult = { status: 'settled', transaction: TRANSACTION, spentAt: spentAt() + 1 };
    const again = await presented(untold);
    service.clock.advance(30_000);
    facilitator.lookupWith(paid);
    expect(await again()).toBe('201 ');
    expect([await balance(), await statuses()]).toEqual([25, ['delivered']]);
    expect(await again()).toMatch(/^402 /);
    expect([await balance(), (await service.pm.audit()).ok]).toEqual([25, true]);
  });

  it('is credited by the jobs when the payer does not repeat it, also after its window', async () => {
    const paid: LookupResult = { status: 'settled', transaction: TRANSACTION, spentAt: spentAt() + 1 };
    await presented(untold);
    service.clock.advance(DAY_MS);
    await service.pm.runJobs();
    expect([await balance(), await statuses()]).toEqual([0, ['claimed']]);
    facilitator.lookupWith(paid);
    service.clock.advance(DAY_MS);
    await service.pm.runJobs();
    expect([await balance(), await statuses()]).toEqual([25, ['settled']]);
  });

  it('is rejected when it was spent before it was presented first', async () => {
    const earlier: LookupResult = { status: 'settled', transaction: TRANSACTION, spentAt: spentAt() - 60 };
    const again = await presented(untold);
    facilitator.lookupWith(earlier);
    expect(await again()).toMatch(/^402 /);
    expect([await balance(), await statuses()]).toEqual([0, ['rejected']]);
  });

  it('is not charged again while it waits, however often it is repeated', async () => {
    const again = await presented(untold);
    for (let round = 0; round < 3; round += 1) expect(await again()).toBe('503 SETTLEMENT_PENDING');
    expect(facilitator.calls.filter(({ method }) => method === 'settle')).toEqual([]);
    expect([await balance(), await statuses()]).toEqual([0, ['claimed']]);
  });
});

describe('the time of a presentation is not kept, and a repetition after the transfer is refused,', () => {
  const spentBefore = (seconds: number): LookupResult => {
    const now = Math.floor(service.clock.now() / 1000);
    return { status: 'settled', transaction: TRANSACTION, spentAt: now - seconds, asOf: now };
  };

  it('when the clock of the instance is behind the chain', async () => {
    const chain = Math.floor(service.clock.now() / 1000) + 120;
    facilitator.verifyWith({ status: 'spent', reason: 'used' });
    facilitator.lookupWith({ status: 'settled', transaction: TRANSACTION, spentAt: chain - 1, asOf: chain });
    const headers = await paymentFor(service, payer, DEPOSIT);
    const answer = await send(service, DEPOSIT, headers);
    expect([answer.status, await statuses(), await balance()]).toEqual([503, [], 0]);
    service.clock.advance(125_000);
    facilitator.lookupWith(spentBefore(5));
    expect((await send(service, DEPOSIT, headers)).status).toBe(402);
    expect([await statuses(), await balance()]).toEqual([['rejected'], 0]);
  });

  it('when the facilitator could not be asked at the first request', async () => {
    facilitator.verifyWith({ status: 'unavailable', reason: 'no answer' });
    const headers = await paymentFor(service, payer, DEPOSIT);
    const answer = await send(service, DEPOSIT, headers);
    expect([answer.body, await statuses()]).toMatchObject([{ code: 'FACILITATOR_UNAVAILABLE' }, []]);
    service.clock.advance(10_000);
    facilitator.verifyWith({ status: 'spent', reason: 'used' });
    facilitator.lookupWith(spentBefore(5));
    expect((await send(service, DEPOSIT, headers)).status).toBe(402);
    expect([await statuses(), await balance()]).toEqual([['rejected'], 0]);
  });
});
