import type {
  Facilitator,
  LookupResult,
  Payment,
  PaymentRequirements,
  SettleResult,
  VerifyResult,
} from '../src/ports/facilitator';
import { requireResult, type StatusesOf } from './told-result';

export interface FacilitatorCall {
  /** The method that was called. */
  method: 'verify' | 'settle' | 'lookup';
  /** The payment of the call. */
  payment: Payment;
  /** The terms of the call. */
  requirements: PaymentRequirements;
}

/** A facilitator without a chain. It accepts every payment until the test sets other results. */
export interface FakeFacilitator extends Facilitator {
  /** All calls of `verify`, `settle` and `lookup`, oldest first. */
  readonly calls: readonly FacilitatorCall[];
  /** Sets the result of `verify` from now on. */
  verifyWith(result: VerifyResult): void;
  /** Sets the result of `settle` from now on. */
  settleWith(result: SettleResult): void;
  /**
   * Sets the result of `lookup` from now on. Before that, `lookup` knows the payments that `settle` has
   * settled.
   */
  lookupWith(result: LookupResult): void;
}

const VERIFIED: StatusesOf<VerifyResult> = {
  valid: [],
  invalid: ['reason'],
  insufficient_funds: [],
  spent: ['reason'],
  unavailable: ['reason'],
};

const SETTLED: StatusesOf<SettleResult> = {
  settled: ['transaction'],
  invalid: ['reason'],
  insufficient_funds: [],
  spent: ['reason'],
  unavailable: ['reason'],
  unknown: ['reason'],
};

const FOUND: StatusesOf<LookupResult> = {
  settled: ['transaction'],
  unused: [],
  invalid: ['reason'],
  unknown: ['reason'],
};

/** In seconds, this is the year 5138. In milliseconds, it is 1973. */
const LATEST_SECOND = 100_000_000_000;

/** @throws RangeError if a time is so great that it must be in milliseconds. */
function requireSeconds(result: LookupResult): void {
  for (const name of ['spentAt', 'asOf'] as const) {
    const time: unknown = Reflect.get(result, name);
    if (typeof time === 'number' && time > LATEST_SECOND)
      throw new RangeError(`facilitator.lookupWith: ${name} is in Unix seconds, got ${time}`);
  }
}

/** Makes a fake facilitator. `createTestMarket` uses one if the test gives no other facilitator. */
export function fakeFacilitator(): FakeFacilitator {
  const calls: FacilitatorCall[] = [];
  const paid = new Set<string>();
  // Nonces of two payers may be equal, so a nonce alone names no payment (EIP-3009).
  const nameOf = ({ authorization: { from, nonce } }: Payment) => `${from} ${nonce}`.toLowerCase();
  let verified: VerifyResult = { status: 'valid' };
  let settled: SettleResult | null = null;
  let found: LookupResult | null = null;
  // The result for a settled payment. The nonce has the form of a transaction hash, so it takes the place of one.
  const receipt = ({ authorization }: Payment) =>
    ({ status: 'settled', transaction: authorization.nonce }) as const;
  return {
    name: 'fake',
    calls,
    async verify(payment, requirements) {
      calls.push({ method: 'verify', payment, requirements });
      return verified;
    },
    async settle(payment, requirements) {
      calls.push({ method: 'settle', payment, requirements });
      const result = settled ?? receipt(payment);
      if (result.status === 'settled') paid.add(nameOf(payment));
      return result;
    },
    async lookup(payment, requirements) {
      calls.push({ method: 'lookup', payment, requirements });
      return found ?? (paid.has(nameOf(payment)) ? receipt(payment) : { status: 'unused' });
    },
    supported: async () => ({
      status: 'supported',
      kinds: [
        { x402Version: 1, scheme: 'exact', network: 'base' },
        { x402Version: 2, scheme: 'exact', network: 'eip155:8453' },
      ],
    }),
    verifyWith(result) {
      requireResult('facilitator.verifyWith', result, VERIFIED);
      verified = result;
    },
    settleWith(result) {
      requireResult('facilitator.settleWith', result, SETTLED);
      settled = result;
    },
    lookupWith(result) {
      requireResult('facilitator.lookupWith', result, FOUND);
      requireSeconds(result);
      found = result;
    },
  };
}
