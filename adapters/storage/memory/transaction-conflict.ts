/** Two transactions wanted the same thing: the one that meets this is run again whole, and finds what the first wrote. */
export class TransactionConflict extends Error {
  override readonly name = 'TransactionConflict';
}
