/** The life of a payment (DESIGN §5 "Paid call"): pure rules of what may follow what, and of what a payer must have signed. */
import type { Address } from './types';

export const PAYMENT_STATUSES = ['claimed', 'submitted', 'settled', 'delivered', 'rejected'] as const;
/**
 * `claimed`: ours to work on, nothing submitted. `submitted`: the money may have moved. `settled`: it has; the answer is
 * stored as soon as the call has run. `delivered`: the answer was written out whole. `rejected`: the money will not move.
 */
export type PaymentStatus = (typeof PAYMENT_STATUSES)[number];

/** What names a payment: a token contract lets each payer use a nonce once. */
export interface PaymentKey {
  asset: Address;
  payer: Address;
  /** 32 bytes, 0x-hex in lower case. */
  nonce: string;
}

export interface StoredAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** What an operator has said of a settlement that nobody could look up. */
export interface PaymentDecision {
  verdict: 'confirmed' | 'rejected';
  reason: string;
  decidedAt: number;
}

export interface PaymentRecord extends PaymentKey {
  id: number;
  status: PaymentStatus;
  /** Base units of the token. */
  amount: bigint;
  /** Which call is paid for: `feed`, `markets`… */
  operation: string;
  /** SHA-256 of method, path, query and body, lower-case hex: the same payment serves the same request only. */
  fingerprint: string;
  /** The signed authorization and what was asked for, JSON: what reconciliation needs. */
  payment: string;
  /** The parsed request, JSON: what it takes to run the call without the payer. */
  command: string;
  /** Hash of the settling transaction, where it is known. */
  transaction: string | null;
  /** Until it is delivered. */
  answer: StoredAnswer | null;
  /** Why it was rejected, or what keeps it from going on. */
  reason: string | null;
  createdAt: number;
  updatedAt: number;
  /** Somebody is at work on it until then; 0 when nobody is. */
  leaseUntil: number;
  /** Fencing token: raised by whoever takes it over; changes that carry an older one are refused. */
  leaseToken: number;
  /** When the reconciliation has to look at it; `null` when nothing is left to do. */
  dueAt: number | null;
  /** Looks of the reconciliation so far; drives the back-off. */
  attempts: number;
  /** Kept for ever, also of a payment that was rejected. */
  decision: PaymentDecision | null;
}

const FOLLOWING: Record<PaymentStatus, readonly PaymentStatus[]> = {
  // Straight to `settled` when somebody else had submitted the authorization and it paid us.
  claimed: ['submitted', 'settled', 'rejected'],
  submitted: ['settled', 'rejected'],
  settled: ['delivered'],
  delivered: [],
  // A proven settlement holds against a judgement that knew less.
  rejected: ['settled'],
};

type Change = Partial<Pick<PaymentRecord, 'transaction' | 'answer' | 'reason' | 'attempts'>>;

/** Moves a payment on. Throws for a step that the states do not know: a fault of ours. */
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

/** The money has arrived. A payment that is settled already stays as it is, and learns at most the hash. */
export function settlePayment(
  record: PaymentRecord,
  { transaction, now }: { transaction: string | null; now: number },
): PaymentRecord {
  if (record.status === 'settled' || record.status === 'delivered') {
    return { ...record, transaction: record.transaction ?? transaction };
  }
  return advancePayment(record, 'settled', { transaction, reason: null, now });
}

/** An operator says what became of a settlement. Fences off work that is under way: it would act on older knowledge. */
export function decidePayment(
  record: PaymentRecord,
  decision: PaymentDecision & { transaction: string | null },
): PaymentRecord {
  const { transaction, ...kept } = decision;
  const { reason, decidedAt: now } = decision;
  const fenced = { ...record, leaseToken: record.leaseToken + 1, leaseUntil: 0, decision: kept };
  return decision.verdict === 'confirmed'
    ? { ...advancePayment(fenced, 'settled', { transaction, reason: null, now }), dueAt: now }
    : { ...advancePayment(fenced, 'rejected', { transaction, reason, answer: null, now }), dueAt: null };
}

/** Whoever worked on it lets go; the reconciliation looks again at `dueAt`. */
export function releasePayment(record: PaymentRecord, dueAt: number | null): PaymentRecord {
  return { ...record, leaseUntil: 0, dueAt };
}

const FIRST_RETRY_MS = 2_000;
const LONGEST_RETRY_MS = 300_000;

/** Milliseconds to the next look after so many earlier ones. */
export function paymentRetryDelayMs(attempts: number): number {
  return Math.min(FIRST_RETRY_MS * 2 ** Math.min(attempts, 20), LONGEST_RETRY_MS);
}

/** How long before its end an authorization is too late: three blocks of two seconds. */
export const WINDOW_MARGIN_SECONDS = 6;
/**
 * How long after its end an unused authorization is given up: a chain whose newest block we do not see yet may still
 * have taken it.
 */
const AFTERMATH_MS = 120_000;

export interface PaymentWindow {
  /** Unix seconds, decimal. */
  validAfter: string;
  validBefore: string;
}

/** Whether the authorization could be submitted now. */
export function isWindowOpen({ validAfter, validBefore }: PaymentWindow, now: number): boolean {
  const seconds = BigInt(Math.floor(now / 1000));
  return BigInt(validAfter) <= seconds && seconds < BigInt(validBefore);
}

/** When an authorization ends, milliseconds since the epoch. */
export function windowEnd({ validBefore }: PaymentWindow): number {
  const end = BigInt(validBefore) * 1000n;
  return end < BigInt(Number.MAX_SAFE_INTEGER) ? Number(end) : Number.MAX_SAFE_INTEGER;
}

/** Whether an authorization that has not been used by now can never be. */
export function isWindowPast({ validBefore }: PaymentWindow, now: number): boolean {
  return BigInt(Math.floor((now - AFTERMATH_MS) / 1000)) >= BigInt(validBefore);
}

/** A chain whose newest block lies so far in our future proves that our clock is wrong. */
const CLOCK_TOLERANCE_SECONDS = 60;

/**
 * Whether an authorization that has paid us was presented here before it was spent; if not, another deployment may have
 * served it already. `null`: the times do not tell. Blocks count whole seconds, and within one second no order is known.
 */
export function wasPresentedFirst(
  { createdAt }: Pick<PaymentRecord, 'createdAt'>,
  { spentAt, asOf }: { spentAt?: number; asOf?: number },
  now: number,
): boolean | null {
  if (spentAt === undefined) return null;
  if (asOf !== undefined) {
    if (asOf > Math.floor(now / 1000) + CLOCK_TOLERANCE_SECONDS) return null;
    // By the chain's own time it was spent longer ago than it has been here: that holds for a wrong clock too.
    // The chain's times are whole seconds, so their difference is wrong by less than one second.
    if ((asOf - spentAt) * 1000 - (now - createdAt) >= 1000) return false;
  }
  return spentAt >= Math.floor(createdAt / 1000);
}

/** How much longer than the challenge's time limit an authorization may be valid: payers' clocks differ. */
const WINDOW_TOLERANCE_SECONDS = 600;

export interface PaymentTerms {
  payTo: Address;
  /** Base units. */
  amount: bigint;
  /** How long a payer may take, as the challenge says. */
  timeLimitSeconds: number;
}

/** What is wrong with a well-formed authorization before anybody is asked; `null` when nothing is. */
export function authorizationFault(
  authorization: PaymentWindow & { from: Address; to: Address; value: string },
  terms: PaymentTerms,
  now: number,
): string | null {
  const { from, to, value, validAfter, validBefore } = authorization;
  if (to !== terms.payTo) return 'The payment goes to another recipient';
  // It would settle, and bring nothing in.
  if (from === terms.payTo) return 'The recipient cannot pay itself';
  if (BigInt(value) !== terms.amount) return `The payment is not of ${terms.amount} base units`;
  const seconds = BigInt(Math.floor(now / 1000));
  if (seconds < BigInt(validAfter)) return 'The payment is not valid yet';
  if (BigInt(validBefore) < seconds + BigInt(WINDOW_MARGIN_SECONDS)) return 'The payment has expired';
  // The longer an authorization can be spent, the longer it can be presented to more than one deployment.
  const longest = terms.timeLimitSeconds + WINDOW_TOLERANCE_SECONDS;
  if (BigInt(validBefore) > seconds + BigInt(longest))
    return `The payment is valid for too long: validBefore may lie at most ${longest} seconds ahead`;
  return null;
}
