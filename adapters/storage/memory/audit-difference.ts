import type { AuditDifference } from '../../../src/ports/storage';

/** Notes a difference if there is one. */
export function differ(
  kind: AuditDifference['kind'],
  subject: string,
  stored: bigint | number,
  computed: bigint | number,
): AuditDifference[] {
  return stored === computed ? [] : [{ kind, subject, stored: String(stored), computed: String(computed) }];
}
