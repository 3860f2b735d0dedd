import { silentLogger } from '../../src/ports/logger';
import { fakeFacilitator } from '../../testing/fake-facilitator';
import { startService, wallet } from '../http/support/service';
import { DEPOSIT, paymentFor, send } from './support/calls';
import { lastingStorage } from '../support/lasting-storage';

const UNKNOWN = { status: 'unknown', reason: 'there is no chain to ask' } as const;

it('a payment is reconciled beside one that cannot be read', async () => {
  const storage = await lastingStorage();
  const facilitator = fakeFacilitator();
  facilitator.settleWith(UNKNOWN);
  facilitator.lookupWith(UNKNOWN);
  const warn = jest.fn();
  const logger = { ...silentLogger, warn, error: warn };
  const service = await startService({ storage, facilitator, logger, jobIntervalMs: 86_400_000 });
  try {
    for (const payer of [863, 864])
      expect((await send(service, DEPOSIT, await paymentFor(service, wallet(payer), DEPOSIT))).status).toBe(
        503,
      );
    const [, first] = await storage.read(({ payments }) =>
      payments.list({ status: undefined, limit: 10, offset: 0 }),
    );
    if (first === undefined) throw new Error('no payment');
    await storage.transaction(({ payments }) => payments.update({ ...first, payment: 'cut off {' }));
    facilitator.lookupWith({
      status: 'settled',
      transaction: `0x${'5e'.repeat(32)}`,
      spentAt: service.clock.now() / 1000,
    });
    warn.mockClear();
    service.clock.advance(600_000);
    await service.pm.runJobs();
    expect((await service.pm.getBalance({ wallet: wallet(864).address })).available).toBe(25);
    expect(warn).toHaveBeenCalledWith(
      expect.objectContaining({ paymentId: first.id }),
      'a payment was not reconciled',
    );
  } finally {
    await service.close();
  }
});
