/** Submissions that have arrived and do not count yet, such as transactions that are in no block. */
import { insteadOf } from '../conformance/failure';
import { comesTrue } from '../conformance/watch';
import { checkFound, checkReceived, checkValid, type FacilitatorSuite, type FacilitatorTest } from './suite';

/**
 * How long the suite waits for `settle` to answer while the submission is pending. An adapter may also answer
 * only after the submission counts.
 */
const SOON_MS = 500;

export function pendingTests({ describe, test }: FacilitatorSuite): void {
  describe('a submission that is pending', () => {
    const cited = ['nobodyKnows', 'unavailable', 'invalid', 'unknown', 'once', 'paid'] as const;
    test('is looked up as unknown, and moves the money once', cited, checkPending);
  });
}

async function checkPending(t: FacilitatorTest): Promise<void> {
  const { facilitator, requirements, hooks, check } = t;
  if (!check.given('hold', hooks.hold, 'holds back what is submitted')) return;
  const payment = await t.pay();
  await checkValid(t, payment);
  const held = await hooks.hold();
  let isAnswered = false;
  const settling = facilitator.settle(payment, requirements).finally(() => (isAnswered = true));
  // The check awaits `settling` only after other steps, so an earlier rejection must not count as unhandled.
  settling.catch(() => undefined);
  await held.arrived();
  await checkLookedUp('`lookup` while the submission is pending');
  if (await comesTrue(async () => isAnswered, SOON_MS)) {
    const { status } = await settling;
    checkStatus(t, status, '`settle`');
    check.by('unknown').equal(status, 'unknown', '`settle` while the submission is pending');
    await checkLookedUp('`lookup` after `settle` has answered, while the submission is pending');
  }
  await checkReceived(t, 0, 'received, although `hold` must hold the money back', 'moves');
  const again = facilitator.settle(payment, requirements);
  again.catch(() => undefined);
  await held.release();
  checkStatus(t, (await settling).status, '`settle`');
  checkStatus(t, (await again).status, 'a second `settle`');
  const amount = BigInt(requirements.amount);
  if (!(await t.until(async () => (await t.received()) >= amount)))
    check
      .by('moves')
      .fail(
        'a payment that `hold` held back never arrived',
        'Let `release` submit each payment that was held back.',
      );
  const found = (): ReturnType<typeof facilitator.lookup> => facilitator.lookup(payment, requirements);
  await t.until(async () => (await found()).status === 'settled' || !t.looksUp);
  checkFound(t, await found(), payment, 'paid');
  await checkReceived(t, 1, 'base units that `payTo` has after two `settle` of one payment', 'once');

  async function checkLookedUp(label: string): Promise<void> {
    const { status } = await facilitator.lookup(payment, requirements);
    check.equal(status, 'unknown', label);
  }
}

function checkStatus({ check }: FacilitatorTest, status: string, label: string): void {
  const seen = insteadOf(
    `${label} of a payment that has arrived: "${status}"`,
    '"settled", "spent" or "unknown"',
  );
  if (status === 'unavailable') check.by('unavailable').fail(seen);
  if (status === 'invalid' || status === 'insufficient_funds') check.by('invalid').fail(seen);
  check.by('unknown').oneOf(status, ['settled', 'spent', 'unknown'], label);
}
