/**
 * Ends a claim whose worker has died, and which the payer has not repeated. As far as the storage knows, nothing was
 * submitted. But the storage may have lost the step of the submission, or a stranger may have submitted the
 * authorization. A deleted claim takes the time of its presentation along, and the payer's repetition would then look
 * later than the transfer. So the authorization is looked up first. Nothing is submitted here: the payer is away.
 */
import { isWindowPast, wasPresentedFirst, type PaymentRecord } from '../../domain/payments';
import { detailsOf, lookUp } from './ask-facilitator';
import { facilitatorUnavailable } from './payment-errors';
import { takeLastStep } from './payment-lease';
import {
  giveUp,
  overtaken,
  pend,
  reject,
  type PaymentContext,
  type PaymentOutcome,
} from './payment-outcomes';
import { SPENT_ELSEWHERE } from './settle-payment';
import { servePaid } from './work-on-claimed';

/** The authorization ends within minutes, so this pause bounds how often one claim is looked up. */
const NEXT_LOOK_MS = 60_000;

export async function sweepClaim(context: PaymentContext, record: PaymentRecord): Promise<PaymentOutcome> {
  const found = await lookUp(context, record, context.timers);
  switch (found.status) {
    case 'unused':
    case 'invalid':
      return giveUp(context, record, facilitatorUnavailable('the worker has died'));
    case 'unknown':
      return lookLater(context, record, found.reason);
    case 'settled': {
      const isOurs = wasPresentedFirst(record, found, context.clock.now());
      if (isOurs === null) return pend(context, record, 'it is not known when the authorization was spent');
      return isOurs
        ? servePaid(context, record, found.transaction)
        : reject(context, record, SPENT_ELSEWHERE);
    }
  }
}

/** Keeps the claim while the authorization could still be spent. Some facilitators never tell more. */
async function lookLater(
  context: PaymentContext,
  record: PaymentRecord,
  reason: string,
): Promise<PaymentOutcome> {
  const now = context.clock.now();
  if (isWindowPast(detailsOf(record).payment.authorization, now)) {
    context.logger.warn({ paymentId: record.id, reason }, 'a claim has ended, and no look-up told its fate');
    return giveUp(context, record, facilitatorUnavailable(reason));
  }
  const kept = await takeLastStep(context, record, now + NEXT_LOOK_MS, (stored) => stored);
  return kept.taken ? { kind: 'pending' } : overtaken(context, record, kept.stored);
}
