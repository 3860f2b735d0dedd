/**
 * Payments that were claimed in other money than this instance moves. This instance leaves them to an instance with that
 * money: its own facilitator knows nothing of them, or would charge the payer in another currency.
 */
import { isInDoubt, isWindowPast, type PaymentRecord } from '../../domain/payments';
import { fractionOf } from '../../ports/random';
import type { Context } from '../context';
import { detailsOf } from './ask-facilitator';
import { moneyOf, type MoneyContext } from './money-of-books';
import { dropClaim, takeLastStep } from './payment-lease';

/**
 * For so long after a claim, an instance of other money gives the payment back as due as it was. So the next instance
 * that looks for due payments gets it.
 */
const FIRST_MS = 10 * 60_000;
/** The longest pause after that. It varies, so that no instance always comes first. */
const LONGEST_PAUSE_MS = 60_000;
/** For so long after the end of the authorization, a claim is left to an instance with its money. */
const CLAIM_KEPT_MS = 60 * 60_000;

/** A settled payment belongs to every instance: its money has come in, so its call always runs. */
export function belongsToOthers(context: MoneyContext, payment: PaymentRecord): boolean {
  if (payment.status === 'settled') return false;
  const [own, { money }] = [moneyOf(context), detailsOf(payment)];
  return own !== null && money !== undefined && money !== own;
}

/**
 * Gives the lease of a due payment back. A claim that no instance of its money has taken up is dropped in the end: its
 * authorization has ended, and an operator cannot decide on a claim.
 */
export async function leaveToOthers(context: Context, record: PaymentRecord): Promise<void> {
  const { clock, logger, random } = context;
  const now = clock.now();
  const fields = { paymentId: record.id, money: detailsOf(record).money };
  const { authorization } = detailsOf(record).payment;
  if (record.status === 'claimed' && !isInDoubt(record) && isWindowPast(authorization, now - CLAIM_KEPT_MS)) {
    logger.warn(fields, 'a claim in other money has ended: no instance with that money has taken it up');
    await dropClaim(context, record);
    return;
  }
  const isNew = now - record.createdAt < FIRST_MS;
  logger[isNew ? 'warn' : 'debug'](fields, 'a payment in other money is left to an instance with that money');
  const dueAt = isNew ? now : now + Math.ceil(fractionOf(random) * LONGEST_PAUSE_MS);
  await takeLastStep(context, record, dueAt, (stored) => stored);
}
