import { isSolvent } from '../../domain/house';
import { microsToUsd } from '../../domain/money';
import type { AuditDifference, HouseFindings } from '../../ports/storage';
import type { AuditView } from '../../views/audit';
import type { Context } from '../context';

type AuditContext = Pick<Context, 'storage' | 'config' | 'pricing'>;

/**
 * Recomputes the books at one moment (docs/pricing-and-ledger.md): balances, reservations, pools, positions
 * and counters from entries, withdrawals and trades, and the worst losses from the markets.
 */
export async function audit(context: AuditContext): Promise<AuditView> {
  const { found, house } = await context.storage.snapshot(
    async (reader) => ({ found: await reader.audit.run(), house: await reader.audit.house() }),
    { purpose: 'audit' },
  );
  const { checked, treasury, external } = found;
  const worstLosses = worstLossesOf(context, house);
  const differences = [...found.differences, ...exposureDifference(house.exposure, worstLosses)];
  return {
    ok: differences.length === 0,
    checked,
    treasury: microsToUsd(treasury),
    external: microsToUsd(external),
    solvency: solvency(context, house, { external, worstLosses }),
    differences,
  };
}

function worstLossesOf({ pricing }: AuditContext, { unresolved }: HouseFindings): bigint {
  let sum = 0n;
  for (const { liquidityParameter, markets } of unresolved)
    sum += pricing.worstLoss(liquidityParameter) * BigInt(markets);
  return sum;
}

function exposureDifference(stored: bigint, computed: bigint): AuditDifference[] {
  if (stored === computed) return [];
  return [{ kind: 'counter', subject: 'exposure', stored: String(stored), computed: String(computed) }];
}

/** Computed from deposits and from what wallets and pools hold. In sound books it equals the treasury's balance. */
function solvency(
  { config }: AuditContext,
  { wallets, reserved, pools }: HouseFindings,
  { external, worstLosses }: { external: bigint; worstLosses: bigint },
): AuditView['solvency'] {
  const surplus = -external - wallets - pools;
  const limit = config.exposureLimitMicros;
  return {
    solvent: isSolvent({ balance: surplus, exposure: worstLosses, limit }),
    wallets: microsToUsd(wallets),
    reserved: microsToUsd(reserved),
    pools: microsToUsd(pools),
    worstLosses: microsToUsd(worstLosses),
    surplus: microsToUsd(surplus),
    worstCase: microsToUsd(surplus - worstLosses),
  };
}
