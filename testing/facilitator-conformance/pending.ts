/** Submissions that have arrived and do not count yet, such as transactions that are in no block. */
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
  await checkLookedUp('looked up while the submission was pending');
  if (await comesTrue(async () => isAnswered, SOON_MS)) {
    const { status } = await settling;
    checkStatus(t, status, 'settled');
    check.by('unknown').equal(status, 'unknown', 'settled, while the submission was pending');
    await checkLookedUp('looked up when `settle` had answered, while the submission was pending');
  }
  await checkReceived(t, 0, 'received, although `hold` must hold the money back', 'moves');
  const again = facilitator.settle(payment, requirements);
  again.catch(() => undefined);
  await held.release();
  checkStatus(t, (await settling).status, 'settled');
  checkStatus(t, (await again).status, 'settled again');
  const amount = BigInt(requirements.amount);
  if (!(await t.until(async () => (await t.received()) >= amount)))
    check.by('moves').fail('the payment that was held back never arrived: `release` must let it count');
  const found = (): ReturnType<typeof facilitator.lookup> => facilitator.lookup(payment, requirements);
  await t.until(async () => (await found()).status === 'settled' || !t.looksUp);
  checkFound(t, await found(), payment, 'paid');
  await checkReceived(t, 1, 'received', 'once');

  async function checkLookedUp(label: string): Promise<void> {
    const { status } = await facilitator.lookup(payment, requirements);
    check.equal(status, 'unknown', label);
  }
}

function checkStatus({ check }: FacilitatorTest, status: string, label: string): void {
  const seen = `${label}: ${status}, of a payment that was submitted`;
  if (status === 'unavailable') check.by('unavailable').fail(seen);
  if (status === 'invalid' || status === 'insufficient_funds') check.by('invalid').fail(seen);
  check.by('unknown').oneOf(status, ['settled', 'spent', 'unknown'], label);
}
