/** What became of a payment after `settle`, as the port tells a caller to find it out. */
import type { LookupResult, Payment, SettleResult } from '../../src/ports/facilitator';
import { insteadOf, shown } from '../conformance/failure';
import { HASH, noHash, type FacilitatorTest } from './suite';

const MOST_LOOKUPS = 40;
/** How often a payment is settled in all, if each look-up says that it is unused. */
const MOST_SETTLES = 3;
/** How many moments a service gets to carry out a copy of a submission. */
const MOMENTS = 4;

const WAIT =
  'If your service carries out a submission a moment later, let `settle` wait for it, or let `lookup` find it. ' +
  'If the service needs longer than the look-ups, give the hook `wait`, which lets it carry out what it has taken.';

type Asked = Partial<Pick<FacilitatorTest, 'facilitator' | 'requirements'>>;

interface Outcome {
  /** `unknown` if no look-up has found out more. */
  result: SettleResult;
  /** What the last look-up answered, if there was one. */
  found?: LookupResult;
}

/** Settles the payment, and checks that it is settled then, or after the look-ups that follow `unknown`. */
export async function settled(
  t: FacilitatorTest,
  payment: Payment,
  asked: Asked = {},
): Promise<SettleResult> {
  const { facilitator = t.facilitator, requirements = t.requirements } = asked;
  return checkSettledIn(t, payment, await facilitator.settle(payment, requirements), asked);
}

/** Checks that the payment is settled, or becomes so, after `settle` has given this result. */
export async function checkSettledIn(
  t: FacilitatorTest,
  payment: Payment,
  first: SettleResult,
  asked: Asked = {},
): Promise<SettleResult> {
  const { result, found } = await follow(t, payment, first, asked);
  if (result.status === 'unknown' && found !== undefined) {
    const seen = `\`settle\` of a valid payment answered ${shown(result)}, and after ${MOST_LOOKUPS} look-ups \`lookup\` still answered ${shown(found)}`;
    const sentence = found.status === 'unused' ? 'moves' : 'lookup';
    t.check.by(sentence).fail(insteadOf(seen, '"settled" by `settle` or by `lookup`'), WAIT);
  }
  checkSettled(t, result);
  return result;
}

/** Settles the payment. After `unknown`, looks for the outcome. The result can remain `unknown`. */
export async function outcomeOf(
  t: FacilitatorTest,
  payment: Payment,
  requirements = t.requirements,
): Promise<SettleResult> {
  const first = await t.facilitator.settle(payment, requirements);
  return (await follow(t, payment, first, { requirements })).result;
}

async function follow(
  t: FacilitatorTest,
  payment: Payment,
  result: SettleResult,
  { facilitator = t.facilitator, requirements = t.requirements }: Asked = {},
): Promise<Outcome> {
  if (result.status !== 'unknown') return { result };
  let settles = 1;
  for (let looks = 1; ; looks += 1) {
    const found = await facilitator.lookup(payment, requirements);
    if (found.status === 'settled')
      return { result: { status: 'settled', transaction: found.transaction }, found };
    if (found.status === 'invalid') return { result: found, found };
    if (found.status === 'unused' && settles < MOST_SETTLES) {
      settles += 1;
      const again = await facilitator.settle(payment, requirements);
      // `spent` does not say who was paid, so the payment is looked up once more.
      if (again.status !== 'unknown' && again.status !== 'spent') return { result: again };
    }
    if (looks >= MOST_LOOKUPS) return { result, found };
    t.pace.isSlow = true;
    await t.wait();
  }
}

/**
 * After a `settle` whose outcome is unknown, gives the service time to move money. If the service carries out the first
 * submission a moment later, it also carries out a copy of it a moment later.
 */
export async function settleDown(t: FacilitatorTest, results: readonly SettleResult[]): Promise<void> {
  if (!results.some(({ status }) => status === 'unknown')) return;
  for (let moments = 0; moments < MOMENTS; moments += 1) await t.wait();
}

export function checkSettled({ check }: FacilitatorTest, result: SettleResult): void {
  check.by('moves').equal(result.status, 'settled', `\`settle\` of a valid payment (${shown(result)})`);
  if (result.status !== 'settled' || result.transaction === null) return;
  if (!HASH.test(result.transaction)) check.by('transaction').fail(noHash('settle', result.transaction));
}
