import type { PaymentRecord, PaymentStatus } from '../../../src/domain/payments';
import {
  LONGEST_LEASE_MS,
  type PaymentBacklog,
  type PaymentReader,
  type PaymentRepository,
} from '../../../src/ports/storage';
import { addTo, ALL, paymentKey, type Database, type Gate } from './database';
import { mergedPage, only, take } from './paging';
import { copyPayment } from './rows';

export function paymentReader(db: Database, gate: Gate): PaymentReader {
  return {
    find: (key) =>
      gate(() => {
        const payment = db.paymentsByKey.get(paymentKey(key));
        return payment === undefined ? null : copyPayment(payment);
      }),
    list: ({ status, limit, offset }) =>
      gate(() => {
        const index = db.paymentsByStatus;
        const wanted = only(index.partitions(), (name) => status === undefined || name === status);
        const branches = [...wanted].map((name) => index.in(name).descending());
        const ids = mergedPage(branches, (a, b) => b - a, { limit, offset });
        return ids.map((id) => copyPayment(stored(db, id)));
      }),
    backlog: (limit) =>
      gate(() => {
        const found = new Map<PaymentStatus, PaymentBacklog>();
        for (const { id } of take(db.duePayments.in(ALL).ascending(), limit)) {
          const { status, createdAt } = stored(db, id);
          const { count, oldest } = found.get(status) ?? { count: 0, oldest: createdAt };
          found.set(status, { status, count: count + 1, oldest: Math.min(oldest, createdAt) });
        }
        return [...found.values()];
      }),
  };
}

export function paymentRepository(db: Database, gate: Gate): PaymentRepository {
  return addTo<PaymentReader, PaymentRepository>(paymentReader(db, gate), {
    insert: (payment) =>
      gate(() => {
        if (db.paymentsByKey.get(paymentKey(payment)) !== undefined) return null;
        const row = copyPayment({ ...payment, id: db.nextNumber('payment') });
        db.payments.put(row);
        return copyPayment(row);
      }),
    // There is one writer at a time, so `lock` needs only to read.
    lock: (id) =>
      gate(() => {
        const payment = db.payments.get(id);
        return payment === undefined ? null : copyPayment(payment);
      }),
    update: (payment) =>
      gate(() => {
        const { asset, payer, nonce, operation, fingerprint, amount, createdAt } = stored(db, payment.id);
        const fixed = { asset, payer, nonce, operation, fingerprint, amount, createdAt };
        db.payments.put(copyPayment({ ...payment, ...fixed }));
      }),
    delete: (id) => gate(() => db.payments.remove(id)),
    leaseDue: ({ now, leaseUntil, limit }) =>
      gate(() => {
        const due = take(db.duePayments.in(ALL).ascending(), limit).filter((key) => key.time <= now);
        const stray = take(straysIn(db, now + LONGEST_LEASE_MS), limit - due.length);
        return [...due, ...stray].map(({ id }) => {
          const payment = stored(db, id);
          const leaseToken = payment.leaseToken + 1;
          const leased = copyPayment({ ...payment, dueAt: leaseUntil, leaseUntil, leaseToken });
          db.payments.put(leased);
          return copyPayment(leased);
        });
      }),
    deleteRejected: (updatedBefore, limit) =>
      gate(() => {
        const oldestFirst = take(db.rejectedPayments.in(ALL).ascending(), limit);
        const old = oldestFirst.filter((key) => key.time < updatedBefore);
        for (const { id } of old) db.payments.remove(id);
        return old.length;
      }),
  });
}

/** The payments that an instance with a wrong clock has leased beyond the instant `after`. */
function* straysIn(db: Database, after: number): Generator<{ id: number }> {
  for (const key of [...db.duePayments.in(ALL).ascending()])
    if (key.time > after && stored(db, key.id).leaseUntil > after) yield key;
}

function stored(db: Database, id: number): PaymentRecord {
  const payment = db.payments.get(id);
  if (payment === undefined) throw new Error(`storage: payment ${id} does not exist`);
  return payment;
}
