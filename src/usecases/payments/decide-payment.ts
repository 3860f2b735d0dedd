import { PredictionMarketError } from '../../domain/errors';
import { decidedPayment as decided, firstUseOf, isInDoubt, type PaymentRecord } from '../../domain/payments';
import type { SettledAuthorization } from '../../ports/facilitator';
import { realTimers } from '../../ports/timers';
import { paymentView, type PaymentView } from '../../views/payment';
import type { DecidePaymentCommand } from '../commands';
import type { Context, OperatorContext } from '../context';
import { logAct } from '../operators/log-act';
import { lookUp } from './ask-facilitator';
import { OtherMoneyError, willBeRefused } from './money-of-books';
import { belongsToOthers } from './payments-of-others';
import { takeOverPayment, underLease } from './payment-lease';
import { continuePayment } from './continue-payment';
import { isReadable } from './payment-outcomes';
import { recheckAt } from './recheck-rejected';
import { isPaidHere } from './settle-payment';
import { storeProof } from './store-settlement';

/**
 * An operator decides a settlement whose outcome is not known. The call of a confirmed payment runs at
 * once, and the payer gets its answer by sending the same payment again. An operator who repeats a verdict
 * changes nothing. A verdict that contradicts an earlier one is refused with ALREADY_RESOLVED, and so is the rejection
 * of a payment that the reconciliation would credit.
 */
export async function decidePayment(
  context: OperatorContext,
  command: DecidePaymentCommand,
): Promise<PaymentView> {
  const { storage, clock, logger } = context;
  const { id, verdict, transaction, reason } = command;
  const seen = verdict === 'rejected' ? await requireUnpaid(context, command) : null;
  const { payment, isNews } = await storage.transaction(async (storageTransaction) => {
    const stored = await storageTransaction.payments.lock(id);
    if (stored === null) throw new PredictionMarketError('NOT_FOUND', `There is no payment ${id}`);
    if (agrees(stored, command)) return { payment: stored, isNews: false };
    if (!isUndecided(stored)) throw conflict(stored, verdict);
    // A worker has learnt during the look-up that the payment has paid.
    if (seen?.transaction === null && isPaidOtherwise(stored, transaction)) throw paidAlready(stored);
    if (verdict === 'confirmed' && !isReadable(stored)) throw unreadable(stored);
    // This instance would run the call in its own money.
    if (verdict === 'confirmed' && belongsToOthers(context, stored)) throw new OtherMoneyError();
    const now = clock.now();
    const decision = { verdict, transaction, reason, decidedAt: now };
    const next = decided(stored, { ...decision, recheckAt: recheckAt(context, stored, now) });
    await storageTransaction.payments.update(next);
    const action = verdict === 'confirmed' ? 'payment.confirm' : 'payment.reject';
    const details = { transaction, reason };
    await logAct(context, storageTransaction, { action, target: String(id), details });
    return { payment: next, isNews: true };
  });
  if (!isNews) return paymentView(payment);
  logger.warn({ paymentId: id, verdict, transaction, reason }, 'an operator has decided on a payment');
  if (verdict === 'confirmed') await runCall(context, payment);
  const after = await storage.read((reader) => reader.payments.find(payment));
  return paymentView(after ?? payment);
}

const isUndecided = (payment: PaymentRecord): boolean => payment.status === 'submitted' || isInDoubt(payment);

/**
 * Refuses the rejection of a payment that the reconciliation would credit, because its payer would lose the money. The
 * worker of the payment may have died before it learnt that the money has moved. If the facilitator cannot find out the
 * outcome, the operator decides. A claim with a transaction has paid and waits for the oracle. If the oracle will not
 * come back, the operator may reject the payment by naming this transaction. Resolves with the payment before the look-up.
 */
async function requireUnpaid(
  context: Context,
  { id, transaction: named }: Pick<DecidePaymentCommand, 'id' | 'transaction'>,
): Promise<PaymentRecord | null> {
  const { storage, clock } = context;
  const payment = await storage.transaction(({ payments }) => payments.lock(id));
  if (payment === null || !isUndecided(payment) || !isReadable(payment)) return payment;
  if (payment.transaction !== null) {
    if (isPaidOtherwise(payment, named) && !(await willBeRefused(context, payment)))
      throw paidAlready(payment);
    return payment;
  }
  // The facilitator of this instance knows nothing of a payment in other money.
  if (belongsToOthers(context, payment)) return payment;
  // A facilitator without a node may settle the payment during the look-up, so only `lookUp` itself limits the time.
  const found = await lookUp(context, payment);
  if (found.status !== 'settled' || !willBeCredited(payment, found, clock.now())) return payment;
  if (await willBeRefused(context, { ...payment, transaction: found.transaction })) return payment;
  await keepProof(context, payment, found.transaction);
  const by = found.transaction === null ? '' : ` by ${found.transaction}`;
  const message = `The facilitator shows payment ${id} as settled${by}: it cannot be rejected, and its call will run`;
  throw new PredictionMarketError('ALREADY_RESOLVED', message);
}

/** Stores the proof of the settlement, or else logs it, because a later look-up may not find the settlement again. */
async function keepProof(
  context: Context,
  payment: PaymentRecord,
  transaction: string | null,
): Promise<void> {
  try {
    await storeProof(context, payment, transaction);
  } catch (err) {
    const fields = { err, paymentId: payment.id, transaction };
    context.logger.error(
      fields,
      'a settlement that a rejection has found was not stored: confirm the payment by hand',
    );
    throw err;
  }
}

const isPaidOtherwise = ({ transaction }: PaymentRecord, named: string | null): boolean =>
  transaction !== null && !isSameHash(transaction, named);

function paidAlready({ id, transaction }: PaymentRecord): PredictionMarketError {
  const message = `Payment ${id} was paid by ${transaction}, and its call waits for its answer: if you have paid it back, reject it with this transaction`;
  return new PredictionMarketError('ALREADY_RESOLVED', message);
}

const willBeCredited = (payment: PaymentRecord, found: SettledAuthorization, now: number): boolean =>
  payment.status === 'submitted'
    ? isPaidHere(payment, found, now)
    : firstUseOf(payment, found, now) === 'presented';

/**
 * Runs the call of a confirmed payment. A failure is only logged: the payment is due, so the reconciliation
 * runs the call later.
 */
async function runCall(context: Context, payment: PaymentRecord): Promise<void> {
  try {
    const taken = await takeOverPayment(context, payment);
    if (taken !== null) {
      const settled = { ...context, timers: realTimers, isMoneyStored: false };
      await underLease(context, taken, () => continuePayment(settled, taken));
    }
  } catch (err) {
    context.logger.warn({ err, paymentId: payment.id }, 'the call of a confirmed payment has not run yet');
  }
}

function agrees({ status, transaction }: PaymentRecord, command: DecidePaymentCommand): boolean {
  if (command.verdict === 'rejected') return status === 'rejected';
  if (status !== 'settled' && status !== 'delivered') return false;
  return command.transaction === null || transaction === null || isSameHash(transaction, command.transaction);
}

/** A hash may be written in upper or lower case. */
const isSameHash = (stored: string, named: string | null): boolean =>
  stored.toLowerCase() === named?.toLowerCase();

function unreadable({ id }: PaymentRecord): PredictionMarketError {
  const message = `The row of payment ${id} cannot be read, so its call cannot run: the payment can only be rejected`;
  return new PredictionMarketError('ALREADY_RESOLVED', message);
}

function conflict({ id, status, transaction }: PaymentRecord, verdict: string): PredictionMarketError {
  const by = transaction === null ? '' : ` by ${transaction}`;
  const message = `Payment ${id} is ${status}${by}: only one whose outcome is not known can be ${verdict}`;
  return new PredictionMarketError('ALREADY_RESOLVED', message);
}
