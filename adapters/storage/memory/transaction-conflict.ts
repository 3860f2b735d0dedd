/**
 * Two transactions wrote the same key. The second transaction runs again from the start, and finds what the
 * first one wrote.
 */
export class TransactionConflict extends Error {
  override readonly name = 'TransactionConflict';
}
