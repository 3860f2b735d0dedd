import type { StoredFact } from '../../domain/events';
import type { Fact } from '../../usecases/facts/read-facts';

/**
 * The facts, if none is missing after `seq`. `null` if a fact is missing. Numbers have no gaps, so a missing
 * number belongs to a fact that was removed because of its age.
 */
export function withoutGap(rows: readonly StoredFact[], seq: number): Fact[] | null {
  const isNumbered = (row: StoredFact, index: number): row is Fact => row.seq === seq + index + 1;
  return rows.every(isNumbered) ? (rows as Fact[]) : null;
}
