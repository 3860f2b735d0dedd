/** Services whose answers have one wrong field each. Such an answer proves nothing about a payment. */
import type { Payment, SettleResult } from '../../src/ports/facilitator';
import { insteadOf } from '../conformance/failure';
import { isFigure, spoiler, type Spoil } from '../conformance/nonsense';
import { comesTrue } from '../conformance/watch';
import { checkRecovered, garbled } from './services';
import { checkSettled, settled } from './outcomes';
import { checkResult, type FacilitatorSuite, type FacilitatorTest } from './suite';

/** The test makes one payment for each field, and the payer may have the money of only 100 payments. */
const MOST_FIELDS = 80;

/** What the suite writes in place of a field. */
const SPOILS: Readonly<Record<string, Spoil>> = {
  // A text becomes an unknown word. Every other value, also an address or a hash, becomes an object, because another
  // value of its type could be valid.
  'an unknown value': (value) => (typeof value === 'string' && !isFigure(value) ? 'ab' : {}),
  null: () => null,
  'nothing, as if the service had left it out': () => undefined,
};

export function spoiltFieldTests({ describe, test }: FacilitatorSuite): void {
  describe('an answer with one wrong field', () => {
    const cited = ['understood', 'invalid', 'unknown', 'nobodyKnows', 'moves', 'recovers'] as const;
    for (const [what, spoil] of Object.entries(SPOILS))
      test(`refuses no payment, and makes nothing settled that is not (${what})`, cited, (t) =>
        checkSpoiltFields(t, spoil, what),
      );
  });
}

async function checkSpoiltFields(t: FacilitatorTest, spoil: Spoil, what: string): Promise<void> {
  const paid = await t.pay();
  await settled(t, paid);
  const payments = [paid];
  let fields = 1;
  for (let at = 0; at < Math.min(fields, MOST_FIELDS); at += 1) {
    const open = await t.pay();
    const spoiling = spoiler(at, spoil);
    let last = '';
    const restore = await garbled(t, (body) => (last = spoiling.nonsense(body)));
    if (restore === null) return;
    payments.push(open);
    const label = (call: string): string =>
      `${call}, while a field of an answer was ${what}; the last answer: ${last}`;
    await checkLooks(t, { paid, open }, label);
    await checkSettlements(t, { paid, open }, label, restore);
    await restore();
    fields = Math.max(fields, spoiling.fields());
  }
  await checkRecovered(t, payments);
}

interface Payments {
  /** The payment that was settled before the trouble. */
  paid: Payment;
  /** The payment that was not settled before the trouble. */
  open: Payment;
}

async function checkLooks(
  t: FacilitatorTest,
  { paid, open }: Payments,
  label: (call: string) => string,
): Promise<void> {
  const { facilitator, requirements, check } = t;
  const [by, known] = [check.by('understood'), check.by('nobodyKnows')];
  const good = await facilitator.verify(open, requirements);
  by.oneOf(good.status, ['valid', 'unavailable'], label('`verify` of a valid payment'));
  const spent = await facilitator.verify(paid, requirements);
  if (spent.status === 'valid')
    by.fail(
      insteadOf(label('`verify` of a payment that was settled answered valid'), '"spent" or "unavailable"'),
    );
  const unused = await facilitator.lookup(open, requirements);
  known.oneOf(unused.status, ['unused', 'unknown'], label('`lookup` of a payment that was not settled'));
  const found = await facilitator.lookup(paid, requirements);
  known.oneOf(found.status, ['settled', 'unknown'], label('`lookup` of a payment that was settled'));
  checkResult(t, found, paid);
}

/**
 * How long the check waits for `settle` before the services answer correctly again. An adapter that polls a chain
 * would otherwise use its whole time limit for each field.
 */
const SOON_MS = 50;

/**
 * Settles both payments at the same time, because an adapter that polls a chain may wait in each call until the
 * services answer correctly again.
 */
async function checkSettlements(
  t: FacilitatorTest,
  { paid, open }: Payments,
  label: (call: string) => string,
  restore: () => Promise<void>,
): Promise<void> {
  const { facilitator, requirements, check } = t;
  const before = await t.received();
  let isAnswered = false;
  const settling = Promise.all([
    facilitator.settle(paid, requirements),
    facilitator.settle(open, requirements),
  ]).finally(() => (isAnswered = true));
  settling.catch(() => undefined);
  if (!(await comesTrue(async () => isAnswered, SOON_MS))) await restore();
  const [again, first] = await settling;
  checkSettlement(t, again, label('a second `settle` of a payment that was settled'));
  checkSettlement(t, first, label('`settle` of a valid payment'));
  // If `isSlow`, the money of an earlier payment may arrive meanwhile, so what `payTo` received proves nothing.
  if (first.status === 'unavailable' && !t.pace.isSlow)
    check
      .by('unavailable')
      .equal(
        await t.received(),
        before,
        label('base units that `payTo` has got from a `settle` that answered unavailable'),
      );
}

function checkSettlement(t: FacilitatorTest, settled: SettleResult, label: string): void {
  const isRefused = settled.status === 'invalid' || settled.status === 'insufficient_funds';
  t.check
    .by(isRefused ? 'invalid' : 'unknown')
    .oneOf(settled.status, ['settled', 'spent', 'unavailable', 'unknown'], label);
  if (settled.status === 'settled') checkSettled(t, settled);
}
