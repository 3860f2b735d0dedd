/**
 * Verifies and settles a payer's EIP-3009 authorization (x402). The outcomes that a caller has to handle are
 * values; a rejected promise means that nothing is known.
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

/** How the payer wrote the payment: the flat header, or a version of the x402 protocol. */
export type PaymentForm = 'flat' | 'v1' | 'v2';

export interface Payment {
  form: PaymentForm;
  authorization: PaymentAuthorization;
}

/** The resource that is paid for. */
export interface PaymentResource {
  /** Absolute address. */
  url: string;
  description: string;
  mimeType: string;
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
  maxTimeoutSeconds: number;
  resource: PaymentResource;
}

/** The token says that this authorization's nonce is spent, by any sender: `lookup` tells whether it paid. */
export interface SpentAuthorization {
  status: 'spent';
  reason: string;
}

export type VerifyResult =
  | { status: 'valid' }
  | { status: 'invalid'; reason: string }
  | { status: 'insufficient_funds' }
  | SpentAuthorization
  | { status: 'unavailable'; reason: string };

export type SettleResult =
  /** `transaction` is `null` if the payment is certain and its hash is not known. */
  | { status: 'settled'; transaction: string | null }
  /** No money was moved, and this call cannot move any later. */
  | { status: 'invalid'; reason: string }
  | { status: 'insufficient_funds' }
  | SpentAuthorization
  /** Nothing was submitted. */
  | { status: 'unavailable'; reason: string }
  /** It may have been submitted, or is pending: the caller has to look it up first. */
  | { status: 'unknown'; reason: string };

/**
 * It paid `payTo` the amount, submitted by any sender. That alone is no reason to serve it: another
 * deployment with the same `payTo` may have served its request already. The times tell whether it was spent
 * after it was presented here.
 */
export interface SettledAuthorization {
  status: 'settled';
  transaction: string | null;
  /** Time of the block that spent it, Unix seconds. Left out where it is not known. */
  spentAt?: number;
  /** Time of the newest block that was looked at, Unix seconds. Left out where there is no chain to ask. */
  asOf?: number;
  /** Whether the facilitator's own settler sent the transaction. Left out where that is not known. */
  sentBySettler?: boolean;
}

export type LookupResult =
  | SettledAuthorization
  /**
   * The token has not used it. It is safe to settle it (again): one authorization moves money once. `asOf`:
   * the time of the newest block that was looked at, Unix seconds; if it is given, the chain decides when the
   * window has ended, and `lookup` then answers `invalid`.
   */
  | { status: 'unused'; asOf?: number }
  /** It was spent without paying us (for example cancelled), or it can never be settled. */
  | { status: 'invalid'; reason: string }
  /** Pending, or it cannot be found out now. */
  | { status: 'unknown'; reason: string };

/** A kind of payment that a facilitator accepts, as in `/supported` of the x402 protocol. */
export interface SupportedKind {
  x402Version: 1 | 2;
  scheme: string;
  /** As the facilitator writes it: `base` in version 1, `eip155:8453` in version 2. */
  network: string;
}

export type SupportedResult =
  { status: 'supported'; kinds: SupportedKind[] } | { status: 'unavailable'; reason: string };

export interface Facilitator {
  readonly name: string;
  verify(payment: Payment, requirements: PaymentRequirements): Promise<VerifyResult>;
  /**
   * Moves the money. Called again with the same payment after an unknown outcome: an implementation (or the token
   * behind it) must not move it twice.
   */
  settle(payment: Payment, requirements: PaymentRequirements): Promise<SettleResult>;
  /** What became of an authorization. Changes nothing. */
  lookup(payment: Payment, requirements: PaymentRequirements): Promise<LookupResult>;
  /** The kinds of payments that it accepts. */
  supported(): Promise<SupportedResult>;
}
