/** Compares the stored risks of the house with the markets and the resolution postings. */
import type { HouseRisk } from '../../../src/domain/house';
import { marketOfPool } from '../../../src/domain/ledger';
import type { AuditDifference } from '../../../src/ports/storage';
import { differ } from './audit-difference';
import { riskKey, type Database } from './database';

type RiskFigures = Pick<HouseRisk, 'unresolved' | 'lost'>;
const NO_RISK: RiskFigures = { unresolved: 0, lost: 0n };

export function compareHouseRisks(db: Database): AuditDifference[] {
  const computed = recomputeRisks(db);
  const stored = new Map<string, RiskFigures>([...db.risks.values()].map((risk) => [riskKey(risk), risk]));
  return [...new Set([...stored.keys(), ...computed.keys()])].flatMap((key) => {
    const found = stored.get(key) ?? NO_RISK;
    const expected = computed.get(key) ?? NO_RISK;
    return [
      ...differ('house', `house:${key} unresolved`, found.unresolved, expected.unresolved),
      ...differ('house', `house:${key} lost`, found.lost, expected.lost),
    ];
  });
}

function recomputeRisks(db: Database): Map<string, RiskFigures> {
  const lost = lostByMarket(db);
  const risks = new Map<string, RiskFigures>();
  for (const market of db.markets.values()) {
    const earlier = risks.get(riskKey(market)) ?? NO_RISK;
    risks.set(riskKey(market), {
      unresolved: earlier.unresolved + (market.status === 'resolved' ? 0 : 1),
      lost: earlier.lost + (lost.get(market.id) ?? 0n),
    });
  }
  return risks;
}

/** The money that the resolution postings of each market took from the treasury. */
function lostByMarket(db: Database): Map<number, bigint> {
  const lost = new Map<number, bigint>();
  for (const { kind, entries } of db.postings.values()) {
    if (kind !== 'resolution') continue;
    const marketId = entries.map(({ account }) => marketOfPool(account)).find((id) => id !== null);
    const treasury = entries.find(({ account }) => account === 'treasury');
    if (marketId === undefined || treasury === undefined) continue;
    lost.set(marketId, (lost.get(marketId) ?? 0n) - treasury.amount);
  }
  return lost;
}
