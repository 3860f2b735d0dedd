import { createPaymentNonce, paymentNonceProblem, type NonceScope } from '../../crypto/payment-nonce';
import type { Context } from '../context';

/** How many seconds a payer has between the 402 answer and the payment. */
export const PAYMENT_WINDOW_SECONDS = 300;
const SECRET_BYTES = 32;
const SECRET_NAME = 'x402-nonce-secret';

/**
 * The nonces of the flat form (docs/specification.md "Payment forms"). They are made with a secret that all
 * instances share through the storage.
 */
export interface PaymentNonces {
  /** Reads the secret from the storage. The first instance that finds no secret there stores a new one. */
  load(): Promise<void>;
  issue(scope: NonceScope): string;
  problem(scope: NonceScope, nonce: string): 'foreign' | 'expired' | null;
}

export function createPaymentNonces({
  storage,
  random,
  clock,
}: Pick<Context, 'storage' | 'random' | 'clock'>): PaymentNonces {
  let secret: Buffer | null = null;
  const loaded = (): Buffer => {
    if (secret === null) throw new Error('the secret of payment nonces is not loaded');
    return secret;
  };
  const nowSeconds = (): number => Math.floor(clock.now() / 1000);
  return {
    async load() {
      const fresh = Buffer.from(random.bytes(SECRET_BYTES)).toString('hex');
      const stored = await storage.transaction((transaction) =>
        transaction.settings.putIfAbsent(SECRET_NAME, fresh),
      );
      secret = Buffer.from(stored, 'hex');
    },
    issue: (scope) =>
      createPaymentNonce(loaded(), scope, {
        expiresAtSeconds: nowSeconds() + PAYMENT_WINDOW_SECONDS,
        random,
      }),
    problem: (scope, nonce) => paymentNonceProblem(loaded(), scope, nonce, nowSeconds()),
  };
}
