import { exposureOf, isSolvent } from '../../domain/house';
import { microsToUsd } from '../../domain/money';
import type { AuditDifference, AuditStep, HouseFindings, MarketTotal } from '../../ports/storage';
import type { AuditView } from '../../views/audit';
import type { Context } from '../context';

export interface AuditOptions {
  /** Called between the parts of the audit, for a progress bar. Some storages never call it. */
  onStep?: ((step: AuditStep) => void) | undefined;
}

type AuditContext = Pick<Context, 'storage' | 'config' | 'pricing'>;

/**
 * Recomputes the books at one moment, and compares them with the stored figures (docs/pricing-and-ledger.md).
 */
export async function audit(context: AuditContext, { onStep }: AuditOptions = {}): Promise<AuditView> {
  const { found, house, totals } = await context.storage.snapshot(
    async (reader) => ({
      found: await reader.audit.run(onStep),
      house: await reader.audit.house(),
      totals: await reader.markets.totals(),
    }),
    { purpose: 'audit' },
  );
  const { checked, treasury, external } = found;
  const computed = totalsOf(context, house);
  const worstLosses = exposureOf(computed);
  const differences = [
    ...found.differences,
    ...compareTotals(totals, computed),
    ...differ('exposure', house.exposure, worstLosses),
  ];
  return {
    ok: differences.length === 0,
    checked,
    treasury: microsToUsd(treasury),
    external: microsToUsd(external),
    solvency: solvency(context, house, { external, worstLosses }),
    differences,
  };
}

function totalsOf({ pricing }: AuditContext, { counted }: HouseFindings): MarketTotal[] {
  const totals = new Map<string, MarketTotal>();
  for (const { status, category, liquidityParameter, markets } of counted) {
    const key = keyOf({ status, category });
    const total = totals.get(key) ?? { status, category, markets: 0, exposure: 0n };
    const worst = status === 'resolved' ? 0n : pricing.worstLoss(liquidityParameter);
    const exposure = total.exposure + worst * BigInt(markets);
    totals.set(key, { ...total, markets: total.markets + markets, exposure });
  }
  return [...totals.values()];
}

function compareTotals(stored: readonly MarketTotal[], computed: readonly MarketTotal[]): AuditDifference[] {
  const storedOf = new Map(stored.map((total) => [keyOf(total), total]));
  const computedOf = new Map(computed.map((total) => [keyOf(total), total]));
  return [...new Set([...storedOf.keys(), ...computedOf.keys()])].sort().flatMap((key) => {
    const [found, expected] = [storedOf.get(key), computedOf.get(key)];
    return [
      ...differ(`totals:${key} markets`, found?.markets ?? 0, expected?.markets ?? 0),
      ...differ(`totals:${key} exposure`, found?.exposure ?? 0n, expected?.exposure ?? 0n),
    ];
  });
}

const keyOf = ({ status, category }: Pick<MarketTotal, 'status' | 'category'>): string =>
  `${status}:${category}`;

function differ(subject: string, stored: bigint | number, computed: bigint | number): AuditDifference[] {
  if (stored === computed) return [];
  return [{ kind: 'counter', subject, stored: String(stored), computed: String(computed) }];
}

/**
 * The figures about solvency. `surplus` is the balance of the treasury, computed from the balances of all other
 * accounts. In sound books it equals the stored balance of the treasury.
 */
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
