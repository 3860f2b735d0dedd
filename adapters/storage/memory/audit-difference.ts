import type { AuditDifference } from '../../../src/ports/storage';

/** A list of one difference if the two values differ, otherwise an empty list. */
export function differ(
  kind: AuditDifference['kind'],
  subject: string,
  stored: bigint | number,
  computed: bigint | number,
): AuditDifference[] {
  return stored === computed ? [] : [{ kind, subject, stored: String(stored), computed: String(computed) }];
}
