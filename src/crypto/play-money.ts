/** The marks of play money in the books. They keep play money from being paid out as real money. */
import { createHash } from 'node:crypto';
import type { PaymentKey } from '../domain/payments';

/**
 * The reference of the deposit that gives the house a treasury of play money. A database is credited once under
 * this reference, also after restarts and by several instances.
 */
export const PLAY_TREASURY_REFERENCE = 'play-money: the treasury at the first start';

/**
 * The transaction that `developmentFacilitator` names for a payment. A payment with this transaction was settled in
 * play money: no chain has a transaction with this hash.
 */
export function developmentTransaction({ asset, payer, nonce }: PaymentKey): string {
  return `0x${createHash('sha256').update([asset, payer, nonce].join(':').toLowerCase()).digest('hex')}`;
}
