/** The references of deposits that payments over x402 have paid for. */
import type { PaymentKey } from './payments';

export function paidDepositReference({ asset, payer, nonce }: PaymentKey): string {
  return `${PAID_DEPOSIT_PREFIX}${asset}:${payer}:${nonce}`;
}
const PAID_DEPOSIT_PREFIX = 'x402:';

export const DEPOSIT_SOURCES = ['operator', 'payment'] as const;
export type DepositSource = (typeof DEPOSIT_SOURCES)[number];

/** Whether an operator credited the deposit, or a payment over x402 paid for it. */
export function sourceOfDeposit(reference: string): DepositSource {
  return reference.startsWith(PAID_DEPOSIT_PREFIX) ? 'payment' : 'operator';
}

/** The payment that paid for a deposit. `null` for a deposit by an operator. */
export function paymentOfDeposit(reference: string): PaymentKey | null {
  if (sourceOfDeposit(reference) !== 'payment') return null;
  const [asset = '', payer = '', nonce = ''] = reference.slice(PAID_DEPOSIT_PREFIX.length).split(':');
  return { asset, payer, nonce };
}
