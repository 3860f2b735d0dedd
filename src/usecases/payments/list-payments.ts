import { paymentView, type PaymentListView } from '../../views/payment';
import type { ListPaymentsCommand } from '../commands';
import type { Context } from '../context';

/**
 * Lists payments, newest first. There is no total: settled payments are never deleted, so counting would read a
 * table that only grows.
 */
export async function listPayments(
  context: Context,
  { status, limit, offset }: ListPaymentsCommand,
): Promise<PaymentListView> {
  const query = { limit: limit + 1, offset, ...(status !== null && { status }) };
  const found = await context.storage.read((reader) => reader.payments.list(query));
  return {
    payments: found.slice(0, limit).map(paymentView),
    limit,
    offset,
    hasMore: found.length > limit,
  };
}
