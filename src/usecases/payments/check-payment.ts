import { PredictionMarketError } from '../../domain/errors';
import { authorizationFault } from '../../domain/payments';
import type { NonceScope } from '../../crypto/payment-nonce';
import { recoverTransferSigner } from '../../crypto/signature';
import type { Payment } from '../../ports/facilitator';
import type { Context } from '../context';
import { PAYMENT_WINDOW_SECONDS, type PaymentNonces } from './payment-nonces';

/**
 * What speaks against a payment before anybody is asked. A wrong signature is thrown: nothing is looked up for somebody
 * who is not the payer. The rest is returned: a payment that is at work already is not held to it.
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
  const fault = authorizationFault(authorization, terms, clock.now());
  if (fault !== null) return invalidPayment(fault);
  if (form !== 'flat') return null;
  const nonceFault = nonces.fault(scope, authorization.nonce);
  if (nonceFault === null) return null;
  const message =
    nonceFault === 'expired'
      ? 'The nonce has expired; take a fresh one from this answer'
      : 'The nonce was not issued for this request; take the one of this answer';
  return invalidPayment(message);
}

export function invalidPayment(message: string): PredictionMarketError {
  return new PredictionMarketError('PAYMENT_INVALID', message);
}
