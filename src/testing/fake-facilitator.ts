import type {
  Facilitator,
  PaymentAuthorization,
  PaymentRequirements,
  SettleResult,
  VerifyResult,
} from '../ports/facilitator';

export interface FacilitatorCall {
  method: 'verify' | 'settle' | 'lookup';
  authorization: PaymentAuthorization;
  requirements: PaymentRequirements;
}

/** A facilitator without a chain: every payment is good until the test says otherwise. */
export interface FakeFacilitator extends Facilitator {
  /** Everything that it was asked, oldest first. */
  readonly calls: readonly FacilitatorCall[];
  /** What `verify` answers from now on. */
  verifyWith(result: VerifyResult): void;
  /** What `settle` and `lookup` answer from now on. */
  settleWith(result: SettleResult): void;
}

export function fakeFacilitator(): FakeFacilitator {
  const calls: FacilitatorCall[] = [];
  let verified: VerifyResult = { status: 'valid' };
  let settled: SettleResult | null = null;
  const settlement = (authorization: PaymentAuthorization): SettleResult =>
    // A payment settles once, so its nonce serves as the hash of its transaction.
    settled ?? { status: 'settled', transaction: authorization.nonce };
  return {
    name: 'fake',
    calls,
    async verify(authorization, requirements) {
      calls.push({ method: 'verify', authorization, requirements });
      return verified;
    },
    async settle(authorization, requirements) {
      calls.push({ method: 'settle', authorization, requirements });
      return settlement(authorization);
    },
    async lookup(authorization, requirements) {
      calls.push({ method: 'lookup', authorization, requirements });
      return settlement(authorization);
    },
    verifyWith(result) {
      verified = result;
    },
    settleWith(result) {
      settled = result;
    },
  };
}
