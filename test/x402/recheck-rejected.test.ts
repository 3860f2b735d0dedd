/** The second look at payments that an operator has rejected before their authorization ended. */
import { memoryStorage } from '../../adapters/storage/memory';
import { serviceUnavailable } from '../../src/domain/errors';
import type { LookupResult, VerifyResult } from '../../src/ports/facilitator';
import type { Storage } from '../../src/ports/storage';
import { fakeFacilitator, type FakeFacilitator } from '../../testing/fake-facilitator';
import { startService, wallet, type Service } from '../http/support/service';
import { DEPOSIT, paymentFor, send } from './support/calls';

const payer = wallet(875);
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** `paymentFor` signs for 300 seconds, and a block may show the transfer two minutes later. */
const ENDED_MS = 421_000;
const TRANSACTION = `0x${'5e'.repeat(32)}`;
const REASON = 'The explorer shows no transfer.';
const NOT_KNOWN: LookupResult = { status: 'unknown', reason: 'no node' };
const UNTIMED: LookupResult = { status: 'settled', transaction: TRANSACTION };

let facilitator: FakeFacilitator;
let service: Service;
let storage: Storage;
/** While true, each transaction that stores a settlement fails. */
let isAway: boolean;

beforeEach(async () => {
  facilitator = fakeFacilitator();
  isAway = false;
  const data = memoryStorage();
  storage = {
    ...data,
    transaction: (work) =>
      data.transaction(async (transaction) => {
        const { payments } = transaction;
        const update: typeof payments.update = async (payment) => {
          if (isAway && payment.status === 'settled') throw serviceUnavailable('The storage is away');
          return payments.update(payment);
        };
        return work({ ...transaction, payments: { ...payments, update } });
      }),
  };
  service = await startService({ storage, facilitator, jobIntervalMs: DAY_MS });
});
afterEach(() => service.close());

const seconds = (ms = 0): number => Math.floor((service.clock.now() + ms) / 1000);
const stored = async () => (await service.pm.listPayments()).payments[0];
const balance = async (): Promise<number> =>
  (await service.pm.getAccount({ address: payer.address })).balance;

async function jobsAfter(ms: number): Promise<void> {
  service.clock.advance(ms);
  await service.pm.runJobs();
}

/** Presents a payment whose fate stays unknown, and rejects it. `found`: what the operator's look-up shows. */
async function rejected(verified: VerifyResult, found: LookupResult = NOT_KNOWN): Promise<void> {
  facilitator.verifyWith(verified);
  facilitator.settleWith({ status: 'unknown', reason: 'time-out' });
  facilitator.lookupWith(found);
  await send(service, DEPOSIT, await paymentFor(service, payer, DEPOSIT));
  await service.pm.rejectPayment({ id: 1, reason: REASON });
}

const SUBMITTED: VerifyResult = { status: 'valid' };
const CLAIMED: VerifyResult = { status: 'spent', reason: 'used' };

describe('a rejected payment of which a look-up shows a transfer without its time', () => {
  it('stays rejected if it was never submitted here, as another deployment may have served it', async () => {
    await rejected(CLAIMED, UNTIMED);
    await jobsAfter(ENDED_MS);
    for (let look = 0; look < 12; look += 1) await jobsAfter(DAY_MS);
    expect([await stored(), await balance()]).toMatchObject([{ status: 'rejected' }, 0]);
  });

  it('is credited if it was submitted here', async () => {
    await rejected(SUBMITTED);
    facilitator.lookupWith(UNTIMED);
    await jobsAfter(ENDED_MS);
    await jobsAfter(DAY_MS);
    expect([await stored(), await balance()]).toMatchObject([{ status: 'settled' }, 25]);
  });

  it('is credited also if it was never submitted here, as soon as a look-up shows a time after its claim', async () => {
    const spentAt = seconds(1_000);
    await rejected(CLAIMED, UNTIMED);
    await jobsAfter(ENDED_MS);
    facilitator.lookupWith({ ...UNTIMED, spentAt });
    await jobsAfter(DAY_MS);
    await jobsAfter(DAY_MS);
    expect([await stored(), await balance()]).toMatchObject([{ status: 'settled' }, 25]);
  });
});

it.each([SUBMITTED, CLAIMED])(
  'a rejected payment ($status) waits while the clock of the instance is behind the chain',
  async (verified) => {
    await rejected(verified);
    const spentAt = seconds(1_000);
    facilitator.lookupWith({ ...UNTIMED, spentAt, asOf: seconds(ENDED_MS + DAY_MS) });
    await jobsAfter(ENDED_MS);
    expect(await stored()).toMatchObject({ status: 'rejected' });
    facilitator.lookupWith({ ...UNTIMED, spentAt, asOf: seconds(DAY_MS) });
    await jobsAfter(DAY_MS);
    await jobsAfter(DAY_MS);
    expect([await stored(), await balance()]).toMatchObject([{ status: 'settled' }, 25]);
  },
);

it.each<LookupResult>([NOT_KNOWN, { status: 'unused', asOf: 1 }])(
  'a rejected payment is looked up over eight hours while its node is away or stands still ($status)',
  async (away) => {
    const spentAt = seconds(1_000);
    await rejected(SUBMITTED);
    facilitator.lookupWith(away);
    await jobsAfter(ENDED_MS);
    for (let hour = 0; hour < 8; hour += 1) await jobsAfter(HOUR_MS);
    facilitator.lookupWith({ ...UNTIMED, spentAt });
    for (let hour = 0; hour < 8; hour += 1) await jobsAfter(HOUR_MS);
    expect([await stored(), await balance()]).toMatchObject([{ status: 'settled' }, 25]);
  },
);

it('the settlement that the second look finds is kept while the storage is away', async () => {
  await rejected(SUBMITTED);
  facilitator.lookupWith(UNTIMED);
  isAway = true;
  await jobsAfter(ENDED_MS);
  facilitator.lookupWith(NOT_KNOWN);
  isAway = false;
  await jobsAfter(DAY_MS);
  await jobsAfter(DAY_MS);
  expect([await stored(), await balance()]).toMatchObject([{ status: 'settled' }, 25]);
});
