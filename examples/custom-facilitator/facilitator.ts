/** A facilitator around another one: it refuses payers that the host does not serve, before any money moves. */
import type { Facilitator, VerifyResult } from 'express-prediction-market';

export interface ScreenedFacilitatorOptions {
  /** The facilitator that verifies and settles the payments which pass the screening. */
  inner: Facilitator;
  /**
   * Whether the host refuses payments of this address (in lower case). The function may ask another service.
   */
  isBlocked: (payer: string) => Promise<boolean>;
}

export function screenedFacilitator({ inner, isBlocked }: ScreenedFacilitatorOptions): Facilitator {
  async function screen(payer: string): Promise<VerifyResult> {
    try {
      return (await isBlocked(payer))
        ? { status: 'invalid', reason: 'payer_not_served' }
        : { status: 'valid' };
    } catch {
      // The screening failed, so the host does not know whether it serves this payer. With `unavailable` the
      // payer is not charged, and may try again.
      return { status: 'unavailable', reason: 'the screening did not answer' };
    }
  }

  return {
    name: `screened ${inner.name}`,
    // Before the market starts, it compares these three properties with the payout adapter and with its own
    // network.
    ...(inner.playMoney !== undefined && { playMoney: inner.playMoney }),
    ...(inner.address !== undefined && { address: inner.address }),
    ...(inner.chainId !== undefined && { chainId: () => inner.chainId!() }),
    async verify(payment, requirements) {
      const screened = await screen(payment.authorization.from.toLowerCase());
      return screened.status === 'valid' ? inner.verify(payment, requirements) : screened;
    },
    // The functions below do not screen. The market may call `settle` again after a lost answer, when the
    // money may have moved already. If this facilitator then answered `invalid`, it would claim that no money
    // has moved, and the payer would have paid for nothing.
    settle: (payment, requirements) => inner.settle(payment, requirements),
    lookup: (payment, requirements) => inner.lookup(payment, requirements),
    supported: () => inner.supported(),
  };
}
