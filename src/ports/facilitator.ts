/** What the payer signs: a transfer of EIP-3009. */
export interface PaymentAuthorization {
  from: string;
  to: string;
  /** In base units, as a decimal text. */
  value: string;
  /** In Unix seconds, as a decimal text. */
  validAfter: string;
  validBefore: string;
  /** A number of 32 bytes, as 0x-hex. */
  nonce: string;
  signature: string;
}

/** The form in which the payer wrote the payment: the flat header, or a version of the x402 protocol. */
export type PaymentForm = 'flat' | 'v1' | 'v2';

export interface Payment {
  form: PaymentForm;
  authorization: PaymentAuthorization;
}

/** The resource that is paid for. */
export interface PaymentResource {
  /** The absolute address of the resource. */
  url: string;
  description: string;
  mimeType: string;
}

/**
 * The terms that a 402 answer states. A payment that the payer has not signed for these requirements (another
 * recipient, amount, token or network) is not valid, and moves no money.
 */
export interface PaymentRequirements {
  amount: string;
  currency: 'USDC';
  /** The network in CAIP-2, such as `eip155:8453`. */
  network: string;
  payTo: string;
  /** The address of the token contract. */
  asset: string;
  /** The name in the EIP-712 domain of the token. */
  assetName: string;
  assetVersion: string;
  maxTimeoutSeconds: number;
  resource: PaymentResource;
}

/**
 * The token says that the nonce of this authorization is used. Any sender may have used it, so `lookup` tells
 * whether that transfer paid us.
 */
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
  /**
   * The payment may have been submitted, or is pending: the caller calls `lookup` before it settles again.
   */
  | { status: 'unknown'; reason: string };

/**
 * The authorization has paid the amount to `payTo`; any sender may have submitted it. That alone is no reason
 * to serve the request: another deployment with the same `payTo` may have served its own request for this
 * payment already. The times tell whether the authorization was spent after it was presented here.
 */
export interface SettledAuthorization {
  status: 'settled';
  transaction: string | null;
  /**
   * The time of the block that spent the authorization, in Unix seconds. Left out if that block is not known.
   */
  spentAt?: number;
  /** The time of the newest block that was looked at, in Unix seconds. Left out if there is no chain to ask. */
  asOf?: number;
  /** Whether the facilitator's own settler sent the transaction. Left out if the sender is not known. */
  sentBySettler?: boolean;
}

export type LookupResult =
  | SettledAuthorization
  /**
   * The token has not used the authorization. The caller may settle the authorization (again), because one
   * authorization moves money at most once. `asOf` is the time of the newest block that was looked at, in
   * Unix seconds. A facilitator that gives `asOf` answers `invalid` once the chain's time is past the window,
   * so the caller need not use its own clock.
   */
  | { status: 'unused'; asOf?: number }
  /** The authorization was spent without paying us (for example cancelled), or it can never be settled. */
  | { status: 'invalid'; reason: string }
  /** The settlement is pending, or its outcome cannot be found out now. */
  | { status: 'unknown'; reason: string };

/** A kind of payment that a facilitator accepts, as in `/supported` of the x402 protocol. */
export interface SupportedKind {
  x402Version: 1 | 2;
  scheme: string;
  /** The network as the facilitator writes it: `base` in version 1, `eip155:8453` in version 2. */
  network: string;
}

export type SupportedResult =
  { status: 'supported'; kinds: SupportedKind[] } | { status: 'unavailable'; reason: string };

/**
 * The facilitator port: it verifies and settles a payer's EIP-3009 authorization (x402). The outcomes that a
 * caller has to handle are values; after a rejected promise the outcome is not known. A `reason` is one line without a
 * secret: operators read it, and the payer reads that of `invalid`. Every call ends by itself, so an adapter that asks a
 * service has a time limit of its own.
 *
 * - An HTTP error, or an answer that an adapter does not recognise, tells it nothing about a payment.
 * - When the cause of a failure is over, the next call is answered again.
 * - An adapter sends no secret to the address of a redirect.
 * - An address means the same in lower case and in EIP-55 form, and both forms occur in payments and requirements.
 */
export interface Facilitator {
  /** One line without a secret, because hosts log it. */
  readonly name: string;
  /**
   * `true`: payments move no real money. `false`: they do. The service compares this with the payout and with its books
   * before it starts. Default: not known, and the books are compared with the payout alone.
   */
  readonly playMoney?: boolean;
  /**
   * The address that sends the settlements, if the adapter sends them with a key of its own. The payout must
   * send from another address.
   */
  readonly address?: string;
  /**
   * The id of the chain of the adapter's node, if it has a node. Rejects when the node does not answer. The
   * service does not start with the node of another chain than its option `network`.
   */
  chainId?(): Promise<number>;
  /** Says whether the payment can be settled for these requirements. Changes nothing. */
  verify(payment: Payment, requirements: PaymentRequirements): Promise<VerifyResult>;
  /**
   * Moves the money. The caller may call it again with the same payment after an unknown outcome: an
   * implementation (or the token behind it) must not move the money twice.
   */
  settle(payment: Payment, requirements: PaymentRequirements): Promise<SettleResult>;
  /** Finds out what became of an authorization. Changes nothing. */
  lookup(payment: Payment, requirements: PaymentRequirements): Promise<LookupResult>;
  /** The kinds of payments that the facilitator accepts. */
  supported(): Promise<SupportedResult>;
}
