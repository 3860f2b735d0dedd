/** Asks the facilitator about a stored payment. No answer in time, or a rejected promise, is an answer too: not known. */
import type { PaymentRecord } from '../../domain/payments';
import type {
  LookupResult,
  Payment,
  PaymentRequirements,
  SettleResult,
  VerifyResult,
} from '../../ports/facilitator';
import type { Context } from '../context';

/** Above the 20 s that facilitator adapters allow themselves: for one that does not. */
const FACILITATOR_TIME_LIMIT_MS = 25_000;

/** What is kept of the payment for whoever continues it. */
export interface PaymentDetails {
  payment: Payment;
  requirements: PaymentRequirements;
}

export async function verify(context: Context, record: PaymentRecord): Promise<VerifyResult> {
  const { payment, requirements } = detailsOf(record);
  try {
    return await inTime(context.facilitator.verify(payment, requirements));
  } catch (err) {
    context.logger.warn({ err, paymentId: record.id }, 'the facilitator did not verify a payment');
    return { status: 'unavailable', reason: 'no answer' };
  }
}

export async function settle(context: Context, record: PaymentRecord): Promise<SettleResult> {
  const { payment, requirements } = detailsOf(record);
  try {
    return await inTime(context.facilitator.settle(payment, requirements));
  } catch (err) {
    context.logger.error({ err, paymentId: record.id }, 'the facilitator did not say whether it settled');
    return { status: 'unknown', reason: 'no answer' };
  }
}

export async function lookUp(context: Context, record: PaymentRecord): Promise<LookupResult> {
  const { payment, requirements } = detailsOf(record);
  try {
    return await inTime(context.facilitator.lookup(payment, requirements));
  } catch (err) {
    context.logger.warn({ err, paymentId: record.id }, 'the facilitator could not look up a payment');
    return { status: 'unknown', reason: 'no answer' };
  }
}

async function inTime<T>(answer: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(
      () => reject(new Error(`no answer within ${FACILITATOR_TIME_LIMIT_MS} ms`)),
      FACILITATOR_TIME_LIMIT_MS,
    );
    timer.unref();
  });
  try {
    return await Promise.race([answer, limit]);
  } finally {
    clearTimeout(timer);
  }
}

export function detailsOf(record: PaymentRecord): PaymentDetails {
  return JSON.parse(record.payment) as PaymentDetails;
}
