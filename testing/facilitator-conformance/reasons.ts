/** Finds a fault in the reason of a result. */
import { shown } from '../conformance/failure';
import { cameOf } from '../conformance/members';
import { tellsSecret } from '../conformance/secrets';

/** The results that have no reason. */
const WITHOUT_REASON = ['valid', 'settled', 'insufficient_funds', 'unused', 'supported'];

export function faultOfReason(
  { status, reason }: { status: string; reason?: unknown },
  secrets: readonly string[],
): string | null {
  if (WITHOUT_REASON.includes(status)) return null;
  if (typeof reason !== 'string') return `the reason ${cameOf(reason)}`;
  if (tellsSecret(reason, secrets)) return 'a reason that contains a secret';
  return /[\r\n]/.test(reason) ? `a reason of several lines: ${shown(reason)}` : null;
}
