/** A claim was deleted, its payer has claimed the payment for another request, and a late worker proves the settlement. */
import { memoryStorage } from '../../adapters/storage/memory';
import { systemClock } from '../../src/ports/clock';
import { silentLogger } from '../../src/ports/logger';
import { storeProof } from '../../src/usecases/payments/store-settlement';
import { samplePayment } from '../../testing/storage-conformance/samples';

it('a settlement that is proven by the worker of a deleted claim gives no answer of its request to another one', async () => {
  const storage = memoryStorage();
  await storage.open({ logger: silentLogger, clock: systemClock } as never);
  const first = samplePayment('again', { status: 'submitted', leaseToken: 1, answer: null });
  const second = { ...first, fingerprint: 'ef'.repeat(32) };
  const record = await storage.transaction(async ({ payments }) => {
    const inserted = await payments.insert(first);
    if (inserted === null) throw new Error('it is claimed already');
    await payments.delete(inserted.id);
    await payments.insert(second);
    return { ...inserted, answer: { status: 200, headers: {}, body: '"of the first request"' } };
  });
  const stored = await storeProof({ storage, clock: systemClock }, record, `0x${'5e'.repeat(32)}`);
  expect(stored).toMatchObject({ status: 'settled', fingerprint: second.fingerprint, answer: null });
  expect(stored.dueAt).not.toBeNull();
  await storage.close();
});
