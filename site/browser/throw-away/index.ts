/** The throw-away wallet: it is made in this browser, holds play money, and has its secret in the browser's storage. */
import type { PaymentSigner } from '../../../src/client';
import { signTransfer } from '../../../src/client/authorization';
import { randomName } from '../../../src/client/idempotency';
import { base64Json } from '../../../src/client/receipt';
import { addressOf } from '../../../src/client/signers';
import { client } from '../client';
import { siteData } from '../site-data';

const STORED_SECRET = 'prediction-market.throw-away-secret';
/** How many USD of play money a deposit moves from the wallet into the service. */
export const FIRST_DEPOSIT_USD = 500;

const loadSigner = () => import('./signer');

export function storedSecret(): string | null {
  const stored = localStorage.getItem(STORED_SECRET);
  return stored !== null && /^0x[0-9a-f]{64}$/.test(stored) ? stored : null;
}

export function forgetSecret(): void {
  localStorage.removeItem(STORED_SECRET);
}

/** The throw-away wallet of this browser, or a new wallet if there is none. */
export async function ownSigner(): Promise<PaymentSigner & { address: string }> {
  const { newSecret, signerOfSecret } = await loadSigner();
  const secret = storedSecret() ?? newSecret();
  localStorage.setItem(STORED_SECRET, secret);
  return signerOfSecret(secret);
}

/** A signer that reads the secret when there is something to sign. */
export function throwAwaySigner(address: string): PaymentSigner {
  const ready = async (): Promise<PaymentSigner> => {
    const secret = storedSecret();
    if (secret === null)
      throw new Error('The secret of the throw-away wallet is not in this browser any more.');
    return (await loadSigner()).signerOfSecret(secret);
  };
  return {
    address,
    signMessage: async (text) => (await ready()).signMessage(text),
    signPayment: async (data) => (await ready()).signPayment(data),
  };
}

/**
 * Asks the server itself whether it has play money, because a page can be changed on its way and in the
 * browser.
 */
export async function requirePlayMoney(): Promise<void> {
  const { playMoney } = await siteData<{ playMoney: boolean }>('server');
  if (!playMoney)
    throw new Error(
      'This server trades real money, so it has no throw-away wallets. Connect a wallet of yours.',
    );
}

/**
 * Deposits play money by a payment of x402 version 2, for which the page makes the nonce itself. A request for a nonce
 * would be answered 402, which browsers show as an error in the console.
 */
export async function depositPlayMoney(signer: PaymentSigner, amount: number): Promise<void> {
  const { network, asset, assetName, assetVersion, payTo } = await client.paid.info();
  const accepted = { scheme: 'exact', network, asset, payTo, amount: String(Math.round(amount * 1e6)) };
  const nonce = `0x${randomName()}${randomName()}`;
  const terms = { ...accepted, name: assetName, version: assetVersion, nonce };
  const payload = await signTransfer(signer, await addressOf(signer), terms, Date.now());
  const value = base64Json({ x402Version: 2, accepted, payload });
  await client.paid.deposit(amount, { payment: { header: 'PAYMENT-SIGNATURE', value } });
}
