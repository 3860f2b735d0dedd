import { microsToUsd } from '../domain/money';
import type { AuditView } from '../views/types';
import type { Context } from './context';

/**
 * Recomputes balances, reservations, pools, positions and counters from entries, withdrawals and trades, at one moment
 * (DESIGN §4).
 */
export async function audit(context: Pick<Context, 'storage'>): Promise<AuditView> {
  const { checked, treasury, external, differences } = await context.storage.snapshot(
    (reader) => reader.audit.run(),
    { purpose: 'audit' },
  );
  return {
    ok: differences.length === 0,
    checked,
    treasury: microsToUsd(treasury),
    external: microsToUsd(external),
    differences,
  };
}
