import type { Wallet } from 'ethers';
import { base64Json } from '../src/client/receipt';
import { signedPayment } from './facilitator-conformance/payments';

/** The fields of a 402 answer from which the header is made. */
interface Offer {
  amount: string;
  network: string;
  payTo: string;
  nonce: string;
  accepts: readonly { asset: string; extra: { name: string; version: string } }[];
}

/**
 * The value of the header `X-PAYMENT` that pays for a request. `offer` is the body of its answer with HTTP 402.
 * The payment is valid until five minutes after `now`.
 *
 * ```ts
 * const { body } = await api(app).post('/x402/deposit').send({ amount: 5 }).expect(402);
 * const header = await paymentHeader(market.wallet('bob'), body, market.clock.now());
 * await api(app).post('/x402/deposit').set('X-PAYMENT', header).send({ amount: 5 }).expect(201);
 * ```
 */
export async function paymentHeader(payer: Wallet, offer: object, now: number): Promise<string> {
  const { network, payTo, amount, nonce, accepts } = offer as Partial<Offer>;
  const [accepted] = accepts ?? [];
  if (accepted === undefined || !network || !payTo || !amount || !nonce)
    throw new TypeError(
      'paymentHeader: the second argument must be the body of an answer with HTTP 402, with `accepts`, `amount` and `nonce`',
    );
  const requirements = {
    ...{ amount, network, payTo, currency: 'USDC' as const, asset: accepted.asset },
    ...{ assetName: accepted.extra.name, assetVersion: accepted.extra.version, maxTimeoutSeconds: 300 },
    resource: { url: '', description: '', mimeType: '' },
  };
  const { authorization } = await signedPayment(payer, requirements, now, { nonce });
  return base64Json({ ...authorization, network, currency: 'USDC' });
}
