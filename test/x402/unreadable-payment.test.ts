import { isDeepStrictEqual } from 'node:util';
import { silentLogger } from '../../src/ports/logger';
import { fakeFacilitator } from '../../testing/fake-facilitator';
import { startService, wallet } from '../http/support/service';
import { DEPOSIT, paymentFor, send } from './support/calls';
import { lastingStorage } from '../support/lasting-storage';

const UNKNOWN = { status: 'unknown', reason: 'there is no chain to ask' } as const;

/** Makes two payments with an unknown outcome. The stored text of the first payment is cut off. */
async function withUnreadable() {
  const storage = await lastingStorage();
  const facilitator = fakeFacilitator();
  facilitator.settleWith(UNKNOWN);
  facilitator.lookupWith(UNKNOWN);
  const logged: object[] = [];
  const log = (fields: object, message: string) => void logged.push({ ...fields, message });
  const logger = { ...silentLogger, warn: log, error: log };
  const service = await startService({ storage, facilitator, logger, jobIntervalMs: 86_400_000 });
  for (const payer of [863, 864]) {
    const answer = await send(service, DEPOSIT, await paymentFor(service, wallet(payer), DEPOSIT));
    expect(answer.status).toBe(503);
  }
  const [, first] = await storage.read(({ payments }) =>
    payments.list({ status: undefined, limit: 10, offset: 0 }),
  );
  if (first === undefined) throw new Error('no payment');
  await storage.transaction(({ payments }) => payments.update({ ...first, payment: 'cut off {' }));
  logged.splice(0);
  const lines = () =>
    logged.filter((line) => isDeepStrictEqual(pick(line), { paymentId: first.id, message: UNREADABLE }));
  return { storage, facilitator, service, first, lines };
}

const UNREADABLE = 'a payment was not reconciled';
const pick = (line: object) => ({
  paymentId: Reflect.get(line, 'paymentId') as unknown,
  message: Reflect.get(line, 'message') as unknown,
});

it('a payment is reconciled beside one that cannot be read', async () => {
  const { facilitator, service, lines } = await withUnreadable();
  try {
    facilitator.lookupWith({
      status: 'settled',
      transaction: `0x${'5e'.repeat(32)}`,
      spentAt: service.clock.now() / 1000,
    });
    service.clock.advance(600_000);
    await service.pm.runJobs();
    expect((await service.pm.getBalance({ wallet: wallet(864).address })).available).toBe(25);
    expect(lines()).toHaveLength(1);
  } finally {
    await service.close();
  }
});

it('one that cannot be read is named in the log once in five minutes, and an operator can reject it', async () => {
  const { storage, service, first, lines } = await withUnreadable();
  try {
    for (let poll = 0; poll < 120; poll += 1) {
      service.clock.advance(5_000);
      await service.pm.runJobs();
    }
    expect(lines().length).toBeGreaterThan(0);
    expect(lines().length).toBeLessThan(4);
    expect((await service.pm.rejectPayment({ id: first.id, reason: 'Cut off.' })).status).toBe('rejected');
    const stored = await storage.read(({ payments }) => payments.find(first));
    expect(stored).toMatchObject({ payment: 'cut off {', status: 'rejected' });
  } finally {
    await service.close();
  }
});

it.each(['null', '{}', '{"payment":{"authorization":{}}}'])(
  'one whose stored text is %s can be rejected by an operator',
  async (payment) => {
    const { storage, service, first } = await withUnreadable();
    try {
      await storage.transaction(({ payments }) => payments.update({ ...first, payment }));
      expect((await service.pm.rejectPayment({ id: first.id, reason: 'Spoilt.' })).status).toBe('rejected');
    } finally {
      await service.close();
    }
  },
);

describe('a claim that cannot be read', () => {
  it('is named in the log, and an operator can reject it after the first look', async () => {
    const { storage, service, first } = await withUnreadable();
    try {
      await storage.transaction(({ payments }) =>
        payments.update({ ...first, payment: 'cut off {', status: 'claimed', attempts: 0, reason: null }),
      );
      service.clock.advance(600_000);
      await service.pm.runJobs();
      const [, claim] = (await service.pm.listPayments({ status: undefined })).payments;
      expect(claim).toMatchObject({ id: first.id, status: 'claimed', reason: 'its row cannot be read' });
      const rejected = await service.pm.rejectPayment({ id: first.id, reason: 'Cut off.' });
      expect(rejected.status).toBe('rejected');
    } finally {
      await service.close();
    }
  });

  it.each(['payment', 'command'] as const)(
    'by its %s cannot be confirmed, because its call could not run',
    async (text) => {
      const { storage, service, first } = await withUnreadable();
      try {
        await storage.transaction(({ payments }) => payments.update({ ...first, [text]: 'cut off {' }));
        await expect(service.pm.confirmPayment({ id: first.id, reason: 'Seen.' })).rejects.toMatchObject({
          code: 'ALREADY_RESOLVED',
        });
        const stored = await storage.read(({ payments }) => payments.find(first));
        expect(stored).toMatchObject({ status: 'submitted', decision: null });
      } finally {
        await service.close();
      }
    },
  );
});
