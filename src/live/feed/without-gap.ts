import type { NumberedFact, StoredFact } from '../../domain/events';

/**
 * The facts, if none is missing after `seq`. `null` if a fact is missing. Numbers have no gaps, so a missing
 * number belongs to a fact that was removed because of its age.
 */
export function withoutGap(rows: readonly StoredFact[], seq: number): NumberedFact[] | null {
  const isNumbered = (row: StoredFact, index: number): row is NumberedFact => row.seq === seq + index + 1;
  return rows.every(isNumbered) ? (rows as NumberedFact[]) : null;
}
