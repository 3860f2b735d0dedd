/**
 * How many rounds may begin now within the budget of an hour (docs/resolution.md "Budget"). The cost of the
 * rounds of all instances counts.
 */
import type { Context } from '../context';
import type { RoundCost } from './conduct-round';

const WINDOW_MS = 3_600_000;

/**
 * Rounds that begin at the same moment on this or other instances do not see each other's cost. The budget may
 * be exceeded by the cost of those rounds.
 */
export async function roundsWithinBudget(context: Context, lastCost: RoundCost): Promise<number> {
  const { calls: mostCalls, costMicros: mostMicros } = context.config.oracleBudget;
  if (mostCalls === null && mostMicros === null) return Infinity;
  const since = context.clock.now() - WINDOW_MS;
  const spent = await context.storage.read((reader) => reader.resolutions.spentSince(since));
  const byCalls = mostCalls === null ? Infinity : (mostCalls - spent.calls) / Math.max(1, lastCost.calls);
  const leftMicros = mostMicros === null ? null : mostMicros - spent.costMicros;
  const rounds = Math.min(Math.ceil(byCalls), roundsFor(leftMicros, lastCost.costMicros));
  const isSpent = rounds <= 0;
  const reason = 'the budget of this hour is spent: rounds of the oracle wait';
  context.alarms.report('oracle-budget', isSpent ? [{ subject: 'oracle', reason }] : []);
  return Math.max(0, rounds);
}

/**
 * How many rounds the remaining budget allows, rounded up: a round may begin while any of the budget is left.
 */
function roundsFor(left: bigint | null, each: bigint): number {
  if (left === null) return Infinity;
  if (left <= 0n) return 0;
  return each <= 0n ? Infinity : Number((left + each - 1n) / each);
}
