/**
 * A transaction wanted to insert a key that another transaction has inserted. It runs again from the start, and
 * finds the row of the other transaction.
 */
export class TransactionConflict extends Error {
  override readonly name = 'TransactionConflict';
}
