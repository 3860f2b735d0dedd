/**
 * Thrown when a transaction inserts an idempotency key that is taken. The transaction then runs again from the start
 * and finds the row with the key.
 */
export class TransactionConflict extends Error {
  override readonly name = 'TransactionConflict';
}
