import type { PredictionMarketError } from '../../domain/errors';
import { authorizationProblem } from '../../domain/payments';
import type { NonceScope } from '../../crypto/payment-nonce';
import { recoverTransferSigner } from '../../crypto/signature';
import type { Payment } from '../../ports/facilitator';
import type { Context } from '../context';
import { invalidPayment } from './payment-errors';
import { PAYMENT_WINDOW_SECONDS, type PaymentNonces } from './payment-nonces';

/**
 * The reason to refuse a payment that can be found without asking the storage or the facilitator: signature,
 * terms and nonce. A wrong signature throws, so a sender who is not the payer learns nothing about the
 * payment. Every other refusal is returned. `PaidCalls` ignores that refusal when an equal request has
 * claimed the payment already.
 */
export function paymentRefusal(
  { config, clock }: Pick<Context, 'config' | 'clock'>,
  nonces: PaymentNonces,
  { form, authorization }: Payment,
  scope: NonceScope,
): PredictionMarketError | null {
  const domain = {
    name: config.assetName,
    version: config.assetVersion,
    chainId: config.chainId,
    verifyingContract: config.asset,
  };
  const signer = recoverTransferSigner(authorization, domain, authorization.signature);
  if (signer !== authorization.from) throw invalidPayment('The signature is not by the paying wallet');
  const terms = { payTo: config.payTo, amount: scope.amount, timeLimitSeconds: PAYMENT_WINDOW_SECONDS };
  const problem = authorizationProblem(authorization, terms, clock.now());
  if (problem !== null) return invalidPayment(problem);
  if (form !== 'flat') return null;
  const nonceProblem = nonces.problem(scope, authorization.nonce);
  if (nonceProblem === null) return null;
  const message =
    nonceProblem === 'expired'
      ? 'The nonce has expired; take a fresh one from this answer'
      : 'The nonce was not issued for this request; take the one of this answer';
  return invalidPayment(message);
}
