import type { PaymentRecord } from '../../src/domain/payments';
import { fakeFacilitator } from '../../testing/fake-facilitator';
import { startService, wallet } from '../http/support/service';
import { DEPOSIT, ORACLE, paymentFor, send } from './support/calls';
import { lastingStorage } from '../support/lasting-storage';

const DAY_MS = 86_400_000;
const POLL_MS = 7_000;
const UNKNOWN = { status: 'unknown', reason: 'there is no chain to ask' } as const;

it.each([DEPOSIT, ORACLE])(
  'the reconciliation ends for $name that an operator has confirmed',
  async (call) => {
    const storage = await lastingStorage();
    const facilitator = fakeFacilitator();
    facilitator.settleWith(UNKNOWN);
    facilitator.lookupWith(UNKNOWN);
    const service = await startService({ storage, facilitator, jobIntervalMs: DAY_MS });
    try {
      const headers = await paymentFor(service, wallet(862), call);
      expect((await send(service, call, headers)).status).toBe(503);
      await service.pm.confirmPayment({ id: 1, reason: 'Seen on the explorer.' });

      const stored = (): Promise<PaymentRecord[]> =>
        storage.read(({ payments }) => payments.list({ status: undefined, limit: 10, offset: 0 }));
      const poll = async (): Promise<void> => {
        service.clock.advance(POLL_MS);
        await service.pm.runJobs();
      };
      for (let polls = 0; polls < 5; polls += 1) await poll();
      const [before] = await stored();
      expect(before).toMatchObject({ status: 'settled', dueAt: null, leaseUntil: 0 });
      for (let polls = 0; polls < 5; polls += 1) await poll();
      expect(await stored()).toEqual([before]);
      expect((await send(service, call, headers)).status).toBe(call.status);
    } finally {
      await service.close();
    }
  },
);
