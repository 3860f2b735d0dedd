import { checksumAddress } from '../../crypto/address';
import type { PaymentRecord } from '../../domain/payments';
import type { PaymentForm } from '../../ports/facilitator';
import { base64Json } from './payment-required';
import { networkName } from '../../domain/x402-networks';

/** The header that tells the payer what was settled, in the form in which the payer has paid. */
export function receiptHeader(
  form: PaymentForm,
  { transaction, payer }: Pick<PaymentRecord, 'transaction' | 'payer'>,
  network: string,
): Record<string, string> {
  const name = form === 'v2' ? 'PAYMENT-RESPONSE' : 'X-PAYMENT-RESPONSE';
  const receipt = {
    success: true,
    // Clients expect a text. The text is empty when the hash of the transaction is not known.
    transaction: transaction ?? '',
    network: form === 'v1' ? networkName(network) : network,
    payer: checksumAddress(payer),
  };
  return { [name]: base64Json(receipt) };
}
