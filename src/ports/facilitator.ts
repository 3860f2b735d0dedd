/**
 * Who verifies and settles a payer's EIP-3009 authorization (x402). The outcomes that a caller has to
 * handle are values; a rejected promise means that nothing is known.
 */
export interface PaymentAuthorization {
  from: string;
  to: string;
  /** Base units, decimal. */
  value: string;
  /** Unix seconds, decimal. */
  validAfter: string;
  validBefore: string;
  /** 32 bytes, 0x-hex. */
  nonce: string;
  signature: string;
}

export interface PaymentRequirements {
  amount: string;
  currency: 'USDC';
  /** CAIP-2, `eip155:8453`. */
  network: string;
  payTo: string;
  /** The token contract. */
  asset: string;
  /** EIP-712 domain of the token. */
  assetName: string;
  assetVersion: string;
}

export type VerifyResult =
  | { status: 'valid' }
  | { status: 'invalid'; reason: string }
  | { status: 'insufficient_funds' }
  | { status: 'unavailable'; reason: string };

export type SettleResult =
  | { status: 'settled'; transaction: string }
  | { status: 'invalid'; reason: string }
  | { status: 'insufficient_funds' }
  /** Nothing was submitted. */
  | { status: 'unavailable'; reason: string }
  /** It may or may not have been submitted: reconcile before anything else. */
  | { status: 'unknown'; reason: string };

export interface Facilitator {
  readonly name: string;
  verify(authorization: PaymentAuthorization, requirements: PaymentRequirements): Promise<VerifyResult>;
  settle(authorization: PaymentAuthorization, requirements: PaymentRequirements): Promise<SettleResult>;
  /** What became of an authorization whose settlement is unknown. */
  lookup(authorization: PaymentAuthorization, requirements: PaymentRequirements): Promise<SettleResult>;
}
