import type { PaymentStatus } from '../../domain/payments';
import type { Context } from '../context';

/** The most payments that one call counts. */
const MOST_COUNTED = 1_000;

/** The payments of one status on which work is left. */
export interface PaymentBacklogView {
  /** The state of these payments. */
  status: PaymentStatus;
  /** How many of them this call has counted. It counts at most 1,000 payments over all statuses. */
  count: number;
  /** Seconds since the oldest of them was claimed. */
  oldestSeconds: number;
}

/** The payments that the jobs have to work on, such as submitted ones. Statuses without such payments are left out. */
export async function paymentBacklog({
  storage,
  clock,
}: Pick<Context, 'storage' | 'clock'>): Promise<PaymentBacklogView[]> {
  const found = await storage.read((reader) => reader.payments.backlog(MOST_COUNTED));
  const now = clock.now();
  return found.map(({ status, count, oldest }) => ({
    status,
    count,
    oldestSeconds: Math.max(0, (now - oldest) / 1000),
  }));
}
