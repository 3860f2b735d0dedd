import type { AuditDifference, Transaction } from '../../src/ports/storage';

/** A fault in books that were correct, and the difference that the audit has to report. */
export interface PlantedFault {
  kind: AuditDifference['kind'];
  name: string;
  plant: (transaction: Transaction, marketId: number) => Promise<unknown>;
  subject: (marketId: number) => string;
  stored?: string;
  computed?: string;
}
