import type { AuditDifference } from '../../../src/ports/storage';

/** Adds a difference if the two values differ. */
export function differ(
  kind: AuditDifference['kind'],
  subject: string,
  stored: bigint | number,
  computed: bigint | number,
): AuditDifference[] {
  return stored === computed ? [] : [{ kind, subject, stored: String(stored), computed: String(computed) }];
}
