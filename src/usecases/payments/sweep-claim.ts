/**
 * Ends a claim whose worker has died and whose payer has not repeated the request. The authorization is looked up
 * before the claim is deleted: the storage may have lost the `submitted` state, or a stranger may have submitted the
 * authorization. Only the claim has the time at which the payer first presented the payment. Without that time, a
 * repeated request would seem to come after the transfer. Nothing is submitted here, because no payer waits for the
 * answer.
 */
import { firstUseOf, mayStillBeSpent, type PaymentRecord } from '../../domain/payments';
import type { LookupResult } from '../../ports/facilitator';
import { detailsOf, lookUp } from './ask-facilitator';
import { facilitatorUnavailable } from './payment-errors';
import {
  giveUp,
  keepClaim,
  pend,
  reject,
  type PaymentContext,
  type PaymentOutcome,
} from './payment-outcomes';
import { SPENT_ELSEWHERE } from './settle-payment';
import { servePaid } from './work-on-claimed';

export async function sweepClaim(context: PaymentContext, record: PaymentRecord): Promise<PaymentOutcome> {
  const found = await lookUp(context, record, context.timers);
  switch (found.status) {
    case 'invalid':
      return giveUp(context, record, facilitatorUnavailable('the worker has died'));
    case 'unused':
    case 'unknown':
      return lookLater(context, record, found);
    case 'settled': {
      const first = firstUseOf(record, found, context.clock.now());
      if (first === 'unknown')
        return pend(context, record, 'it is not known when the authorization was spent');
      return first === 'presented'
        ? servePaid(context, record, found.transaction)
        : reject(context, record, SPENT_ELSEWHERE);
    }
  }
}

/**
 * Keeps the claim while the authorization could still be spent, then gives the claim up. The claim is given up even if
 * the outcome is not known, because some facilitators cannot find it out.
 */
async function lookLater(
  context: PaymentContext,
  record: PaymentRecord,
  found: Extract<LookupResult, { status: 'unknown' | 'unused' }>,
): Promise<PaymentOutcome> {
  const { authorization } = detailsOf(record).payment;
  const asOf = found.status === 'unused' ? found.asOf : undefined;
  if (mayStillBeSpent(authorization, asOf, context.clock.now())) return keepClaim(context, record);
  const reason = found.status === 'unknown' ? found.reason : 'expired before it was settled';
  if (found.status === 'unknown')
    context.logger.warn({ paymentId: record.id, reason }, 'a claim has ended, and no look-up told its fate');
  return giveUp(context, record, facilitatorUnavailable(reason));
}
