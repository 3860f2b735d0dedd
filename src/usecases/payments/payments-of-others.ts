/**
 * Payments that were claimed in other money than this instance moves. This instance leaves them to an instance with
 * that money: its own facilitator knows nothing of them, or would charge the payer in another currency.
 */
import { isInDoubt, isWindowPast, type PaymentRecord } from '../../domain/payments';
import { fractionOf } from '../../ports/random';
import type { Context } from '../context';
import { detailsOf } from './ask-facilitator';
import { moneyOf, PLAY_MONEY, type MoneyContext } from './money-of-books';
import { takeLastStep } from './payment-lease';

const FORGOTTEN = 'no instance with the money of this payment has taken it up';

/**
 * During this time after a claim, an instance with another kind of money gives the payment back as due at once. So the
 * next instance that looks for due payments gets the payment.
 */
const FIRST_MS = 10 * 60_000;
/** The longest pause after `FIRST_MS` is over. The pause is random, so that no instance always comes first. */
const LONGEST_PAUSE_MS = 60_000;
/** When the authorization has ended this long ago, operators may decide on the claim. */
const CLAIM_KEPT_MS = 60 * 60_000;

/**
 * Whether the payment was claimed in other money. A settled payment counts too: if its call ran here, this instance
 * would credit the payment as its own money.
 */
export function belongsToOthers(context: MoneyContext, payment: PaymentRecord): boolean {
  const [own, { money }] = [moneyOf(context), detailsOf(payment)];
  // An instance of unknown money may move real money, so it must not charge a payer of play money.
  if (own === null) return money === PLAY_MONEY;
  return money !== undefined && money !== own;
}

/**
 * Gives the lease of a due payment back. If no instance of its money has taken up a claim long after the end of the
 * authorization, the claim counts as one in doubt, on which an operator can decide. It is not deleted: this instance
 * cannot look up whether the payer was charged, and the clock of this instance may be wrong.
 */
export async function leaveToOthers(context: Context, record: PaymentRecord): Promise<void> {
  const { clock, logger, random } = context;
  const now = clock.now();
  const { money, payment } = detailsOf(record);
  const fields = { paymentId: record.id, money };
  const isForgotten =
    record.status === 'claimed' &&
    !isInDoubt(record) &&
    isWindowPast(payment.authorization, now - CLAIM_KEPT_MS);
  if (isForgotten)
    logger.warn(fields, 'no instance has taken up a claim in other money: an operator may reject it');
  const isNew = now - record.createdAt < FIRST_MS;
  logger[isNew ? 'warn' : 'debug'](fields, 'a payment in other money is left to an instance with that money');
  const dueAt = isNew ? now : now + Math.ceil(fractionOf(random) * LONGEST_PAUSE_MS);
  await takeLastStep(context, record, dueAt, (stored) =>
    isForgotten ? { ...stored, attempts: stored.attempts + 1, reason: FORGOTTEN } : stored,
  );
}
