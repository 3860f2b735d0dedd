/**
 * The three parts of a paid call: checks before the charge, the answer of the oracle before the charge, and the
 * work after the charge.
 */
import { isPredictionMarketError, PredictionMarketError } from '../../domain/errors';
import { paidDepositReference } from '../../domain/paid-deposits';
import type { PaymentRecord, StoredAnswer } from '../../domain/payments';
import type { Address } from '../../domain/types';
import type { Transaction } from '../../ports/storage';
import { refusalView } from '../../views/refusal';
import { askQuestion, questionFor } from '../resolution/ask-question';
import type { PaidCommand } from '../commands';
import type { Context } from '../context';
import { createMarketIn, requireRoomForMarket } from '../markets/create-market';
import { depositIn } from '../accounts/deposit';
import { readMarketFeed } from '../markets/get-market-feed';

/**
 * The last sentence of each refusal after the charge. Without it, the refusal would look as if nothing was
 * charged.
 */
const CHARGED = 'This payment was charged and is not refunded';

/**
 * Rejects calls that the service would refuse, so that the payer is not charged for the refusal. The approval
 * of a creator is checked only after the charge.
 */
export async function checkPaidCommand(
  context: Context,
  command: PaidCommand,
  payer: Address,
): Promise<void> {
  if (command.operation === 'create-market')
    await requireRoomForMarket(context, { ...command, creator: payer });
  if (command.operation === 'oracle-resolve') await questionFor(context, command);
}

/**
 * The answer of a call that asks the oracle. The oracle is asked before the money moves, so the payer does not
 * pay when the oracle does not answer. `null` for calls that run after the charge.
 */
export async function answerBeforeCharge(
  context: Context,
  command: PaidCommand,
): Promise<StoredAnswer | null> {
  if (command.operation !== 'oracle-resolve') return null;
  return answer(200, await askQuestion(context, command));
}

/**
 * Runs a paid call in the transaction that stores its answer, so the call runs once. A refusal is stored as an
 * answer too, for example the 403 for a wallet without creator approval (docs/specification.md "Paid calls").
 */
export async function runPaidCommand(
  transaction: Transaction,
  context: Context,
  command: PaidCommand,
  payment: PaymentRecord,
): Promise<StoredAnswer> {
  try {
    return await run(transaction, context, command, payment);
  } catch (error) {
    if (!isPredictionMarketError(error) || error.status >= 500) throw error;
    return answer(error.status, refusalView(error, `${error.message}. ${CHARGED}`));
  }
}

async function run(
  transaction: Transaction,
  context: Context,
  command: PaidCommand,
  payment: PaymentRecord,
): Promise<StoredAnswer> {
  switch (command.operation) {
    case 'feed':
      return answer(200, await readMarketFeed(transaction, context, command));
    case 'create-market':
      return answer(201, await createMarketIn(transaction, context, { ...command, creator: payment.payer }));
    case 'deposit': {
      const { payer, amount } = payment;
      const credit = { address: payer, amount, reference: paidDepositReference(payment) };
      return answer(201, (await depositIn(transaction, credit, context.clock.now())).view);
    }
    case 'oracle-resolve':
      throw new PredictionMarketError('INTERNAL_ERROR', 'The oracle is asked before the payment is settled');
  }
}

function answer(status: number, view: object): StoredAnswer {
  return {
    status,
    headers: { 'Content-Type': 'application/json; charset=utf-8' },
    body: JSON.stringify(view),
  };
}
