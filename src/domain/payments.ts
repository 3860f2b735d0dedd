/**
 * The states of a payment (docs/specification.md "Payment states"), and the rules for the authorization that a
 * payer signs.
 */
import type { Address } from './types';

export const PAYMENT_STATUSES = ['claimed', 'submitted', 'settled', 'delivered', 'rejected'] as const;
/**
 * - `claimed`: the payment is reserved for one request.
 * - `submitted`: the money may have moved.
 * - `settled`: the money has moved. The answer is stored once the call has run.
 * - `delivered`: the whole answer was written out.
 * - `rejected`: no money has moved, as far as the service knows.
 */
export type PaymentStatus = (typeof PAYMENT_STATUSES)[number];

/** The identity of a payment: a token contract lets each payer use a nonce once. */
export interface PaymentKey {
  asset: Address;
  payer: Address;
  /** A number of 32 bytes, as 0x-hex in lower case. */
  nonce: string;
}

export interface StoredAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

export const PAYMENT_VERDICTS = ['confirmed', 'rejected'] as const;
export type PaymentVerdict = (typeof PAYMENT_VERDICTS)[number];

/** An operator's decision on a settlement whose outcome could not be looked up. */
export interface PaymentDecision {
  verdict: PaymentVerdict;
  reason: string;
  decidedAt: number;
  /** The status of the payment before the decision. */
  was: PaymentStatus;
  /**
   * `true`: the payment had a transaction when the operator rejected it. A later proof of its settlement changes nothing.
   */
  isPaidBack?: boolean;
}

export interface PaymentRecord extends PaymentKey {
  id: number;
  status: PaymentStatus;
  /** In base units of the token. */
  amount: bigint;
  /** The paid call, such as `feed` or `create-market`. */
  operation: string;
  /** The SHA-256 of method, path, query and body, as lower-case hex. A payment serves one request only. */
  fingerprint: string;
  /** The signed authorization and the requirements as JSON, for the reconciliation. */
  payment: string;
  /** The parsed request as JSON, so that the call can run without the payer. */
  command: string;
  /** The hash of the settling transaction, if it is known. */
  transaction: string | null;
  /** The answer of the call. The answer is kept until it is delivered. */
  answer: StoredAnswer | null;
  /** Why the payment was rejected, or why its outcome is not known yet. */
  reason: string | null;
  createdAt: number;
  updatedAt: number;
  /** When the lease of the worker ends, in milliseconds since the epoch. 0 once the lease has been given up. */
  leaseUntil: number;
  /**
   * The fencing token. Each takeover and each decision of an operator raises the token, and a change that
   * names an older token is refused.
   */
  leaseToken: number;
  /** When the reconciliation works on the payment next. `null` when nothing is left to do. */
  dueAt: number | null;
  /**
   * How many attempts at the payment have ended without an outcome. The pause before the next attempt grows with
   * this number.
   */
  attempts: number;
  /** A payment with a decision is never deleted, even if it was rejected. */
  decision: PaymentDecision | null;
}

const FOLLOWING: Record<PaymentStatus, readonly PaymentStatus[]> = {
  // A claimed payment goes directly to `settled` when another sender has submitted the authorization and the
  // transfer has paid us.
  claimed: ['submitted', 'settled', 'rejected'],
  submitted: ['settled', 'rejected'],
  settled: ['delivered'],
  delivered: [],
  // A settlement that is proven later replaces a rejection.
  rejected: ['settled'],
};

type Change = Partial<Pick<PaymentRecord, 'transaction' | 'answer' | 'reason' | 'attempts'>>;

/**
 * Moves a payment to the next state. Throws for a change of status that `FOLLOWING` does not list. Only a
 * fault of the program can cause such a change.
 */
export function advancePayment(
  record: PaymentRecord,
  status: PaymentStatus,
  change: Change & { now: number },
): PaymentRecord {
  if (!FOLLOWING[record.status].includes(status)) {
    throw new Error(`Payment ${record.id} is ${record.status} and cannot become ${status}`);
  }
  const { now, ...rest } = change;
  return { ...record, ...rest, status, updatedAt: now };
}

/**
 * The payment after its money has arrived. In a payment that is settled already, only a missing hash is filled
 * in.
 */
export function settlePayment(
  record: PaymentRecord,
  { transaction, now }: { transaction: string | null; now: number },
): PaymentRecord {
  if (record.status === 'settled' || record.status === 'delivered') {
    return { ...record, transaction: record.transaction ?? transaction };
  }
  return advancePayment(record, 'settled', { transaction, reason: null, now });
}

/**
 * Applies an operator's decision on a settlement. A worker that is at work loses its lease, because the worker
 * does not know the decision. A rejected payment is looked up again at `recheckAt`, or never if
 * `recheckAt` is `null`.
 */
export function decidedPayment(
  record: PaymentRecord,
  decision: Omit<PaymentDecision, 'was' | 'isPaidBack'> & {
    transaction: string | null;
    recheckAt: number | null;
  },
): PaymentRecord {
  const { transaction: named, recheckAt, ...told } = decision;
  const transaction = named ?? record.transaction;
  const { reason, decidedAt: now } = decision;
  const isPaidBack = told.verdict === 'rejected' && record.transaction !== null;
  const kept = { ...told, was: record.status, ...(isPaidBack && { isPaidBack }) };
  const fenced = { ...record, leaseToken: record.leaseToken + 1, leaseUntil: 0, decision: kept };
  return decision.verdict === 'confirmed'
    ? { ...advancePayment(fenced, 'settled', { transaction, reason: null, now }), dueAt: now }
    : {
        ...advancePayment(fenced, 'rejected', { transaction, reason, answer: null, attempts: 0, now }),
        dueAt: recheckAt,
      };
}

/**
 * Whether a claimed payment may have charged its payer: an attempt to work on it has ended without an outcome.
 * Operators can decide on such a claim.
 */
export function isInDoubt({ status, attempts }: Pick<PaymentRecord, 'status' | 'attempts'>): boolean {
  return status === 'claimed' && attempts > 0;
}

/** Ends the lease. The reconciliation works on the payment again at `dueAt`, or never if `dueAt` is `null`. */
export function endLease(record: PaymentRecord, dueAt: number | null): PaymentRecord {
  return { ...record, leaseUntil: 0, dueAt };
}

const FIRST_RETRY_MS = 2_000;
const LONGEST_RETRY_MS = 300_000;

/** The milliseconds until the next attempt of the reconciliation, after `attempts` attempts. */
export function paymentRetryDelayMs(attempts: number): number {
  return Math.min(FIRST_RETRY_MS * 2 ** Math.min(attempts, 20), LONGEST_RETRY_MS);
}

/**
 * An authorization that ends in fewer than this many seconds is refused, because its transfer might not get
 * into a block in time. Six seconds are three blocks of two seconds.
 */
export const WINDOW_MARGIN_SECONDS = 6;
/**
 * An unused authorization counts as expired this many milliseconds after its end, because a block that we do
 * not see yet may contain it.
 */
const AFTERMATH_MS = 120_000;

export interface PaymentWindow {
  /** In Unix seconds, as a decimal text. */
  validAfter: string;
  validBefore: string;
}

export function isWindowOpen({ validAfter, validBefore }: PaymentWindow, now: number): boolean {
  const seconds = BigInt(Math.floor(now / 1000));
  return BigInt(validAfter) <= seconds && seconds < BigInt(validBefore);
}

/** In milliseconds since the epoch. */
export function windowEnd({ validBefore }: PaymentWindow): number {
  const end = BigInt(validBefore) * 1000n;
  return end < BigInt(Number.MAX_SAFE_INTEGER) ? Number(end) : Number.MAX_SAFE_INTEGER;
}

/** The time from which `isWindowPast` is true, in milliseconds since the epoch. */
export function windowPastAt(window: PaymentWindow): number {
  return Math.min(windowEnd(window) + AFTERMATH_MS, Number.MAX_SAFE_INTEGER);
}

/** Whether an authorization that is unused now will stay unused. */
export function isWindowPast({ validBefore }: PaymentWindow, now: number): boolean {
  return BigInt(Math.floor((now - AFTERMATH_MS) / 1000)) >= BigInt(validBefore);
}

/**
 * Whether an authorization that a look-up calls unused could still be spent by a transfer that no block contains
 * yet. `asOf` is the time of the chain in the answer of the look-up. A look-up that gives `asOf` answers `invalid`
 * once the authorization has ended on the chain, so until then the result is `true`.
 */
export function mayStillBeSpent(window: PaymentWindow, asOf: number | undefined, now: number): boolean {
  return asOf !== undefined || !isWindowPast(window, now);
}

/** If the newest block is further in the future than this by our clock, our clock counts as wrong. */
const CLOCK_TOLERANCE_SECONDS = 60;

/** What happened first to an authorization: it was presented here, or it was spent on the chain. */
export type FirstUse = 'presented' | 'spent' | 'unknown';

/**
 * What happened first to an authorization that has paid us. If it was spent first, another deployment may
 * have served it already. `unknown`: `spentAt` is missing, or our clock counts as wrong. Block times are
 * whole seconds, so a transfer in the second of the presentation counts as later than the presentation.
 */
export function firstUseOf(
  { createdAt }: Pick<PaymentRecord, 'createdAt'>,
  { spentAt, asOf }: { spentAt?: number; asOf?: number },
  now: number,
): FirstUse {
  if (spentAt === undefined) return 'unknown';
  if (asOf !== undefined) {
    if (asOf > Math.floor(now / 1000) + CLOCK_TOLERANCE_SECONDS) return 'unknown';
    // By the chain's times the authorization was spent `asOf - spentAt` ago, and by our clock it was presented
    // `now - createdAt` ago. The chain's times are whole seconds, so their difference is off by less than one
    // second.
    if ((asOf - spentAt) * 1000 - (now - createdAt) >= 1000) return 'spent';
  }
  return spentAt >= Math.floor(createdAt / 1000) ? 'presented' : 'spent';
}

/**
 * An authorization may be valid for this many seconds more than the time limit, because payers' clocks differ.
 */
const WINDOW_TOLERANCE_SECONDS = 600;

export interface PaymentTerms {
  payTo: Address;
  /** In base units. */
  amount: bigint;
  /** The time limit of the 402 answer. */
  timeLimitSeconds: number;
}

/**
 * What is wrong with a well-formed authorization, as far as it can be checked without the chain. `null` when
 * nothing is wrong.
 */
export function authorizationProblem(
  authorization: PaymentWindow & { from: Address; to: Address; value: string },
  terms: PaymentTerms,
  now: number,
): string | null {
  const { from, to, value, validAfter, validBefore } = authorization;
  if (to !== terms.payTo) return 'The payment goes to another recipient';
  // A transfer from the recipient to itself would settle without bringing money in.
  if (from === terms.payTo) return 'The recipient cannot pay itself';
  if (BigInt(value) !== terms.amount) return `The payment is not of ${terms.amount} base units`;
  const seconds = BigInt(Math.floor(now / 1000));
  // The refusal states our time, so that the payer can see whether one of the two clocks is wrong.
  const timeHere = `the time here is ${new Date(now).toISOString()}`;
  if (seconds < BigInt(validAfter)) return `The payment is not valid yet; ${timeHere}`;
  if (BigInt(validBefore) < seconds + BigInt(WINDOW_MARGIN_SECONDS))
    return `The payment has expired; ${timeHere}`;
  // Until an authorization expires, the payer could present it to another deployment with the same recipient.
  // So we accept no authorization that lasts longer than this.
  const longest = terms.timeLimitSeconds + WINDOW_TOLERANCE_SECONDS;
  if (BigInt(validBefore) > seconds + BigInt(longest))
    return `The payment is valid for too long: validBefore may lie at most ${longest} seconds ahead`;
  return null;
}
