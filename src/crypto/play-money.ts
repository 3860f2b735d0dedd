/**
 * Two signs of play money in the books: the reference of a deposit, and the transaction of a payment. The service
 * looks for them when it starts with a payout of real money.
 */
import { createHash } from 'node:crypto';
import type { PaymentKey } from '../domain/payments';

/**
 * The reference of the deposit that gives the house a treasury of play money. A reference is credited once,
 * so restarts and further instances add no money.
 */
export const PLAY_TREASURY_REFERENCE = 'play-money: the treasury at the first start';

/**
 * The transaction that `developmentFacilitator` names for a payment. A payment with this transaction was settled in
 * play money: no chain has a transaction with this hash.
 */
export function developmentTransaction({ asset, payer, nonce }: PaymentKey): string {
  return `0x${createHash('sha256').update([asset, payer, nonce].join(':').toLowerCase()).digest('hex')}`;
}
