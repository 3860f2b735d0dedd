import type { PayoutOrder, PayoutProgress, PayoutState } from '../../src/ports/payout';
import { insteadOf } from '../conformance/failure';
import { prepared, submitted, type PayoutTest } from './suite';
import type { PayoutUnderTest } from './types';

/**
 * Detects a hook that does nothing, so that no check blames the adapter for it. While the hook keeps the services from
 * working, no payout can be both paid and confirmed. If one is, the hook does nothing.
 */
export async function checkHookWorks(
  t: PayoutTest,
  name: 'failWith' | 'silence',
  begin: () => Promise<() => Promise<void>>,
): Promise<void> {
  const { payout, received } = t;
  if (received === null) return;
  const order = t.order();
  if ((await payout.prepare(order, [])).status !== 'prepared') return;
  const state = await prepared(t, order);
  const end = await begin();
  await submitted(payout, state);
  const progress = await payout.check(state).catch(() => null);
  await end();
  await refuseIdle(t, name, order, progress);
}

/** Reports that the hook does nothing, if the payout is confirmed and was paid although the hook should prevent it. */
export async function refuseIdle(
  { received, check }: PayoutTest,
  name: keyof PayoutUnderTest,
  order: PayoutOrder,
  progress: PayoutProgress | null,
): Promise<void> {
  if (progress?.status === 'confirmed' && (await received?.(order)) === order.amount)
    check.notChecked(
      `\`${name}\` does nothing: while it should keep the services from paying, a payout was submitted, paid and confirmed.`,
    );
}

/** Reports that `fund` does nothing, if the treasury still has too little for an order that the money was to pay. */
export async function refuseIdleFund(
  { hooks: { treasury }, check }: PayoutTest,
  needed: bigint,
): Promise<void> {
  const balance = treasury ? await treasury() : needed;
  if (balance < needed)
    check.notChecked(
      `\`fund\` does nothing: the treasury should then have ${needed} base units or more, and \`treasury\` answered ${balance}.`,
    );
}

/**
 * Submits the state after `loseAnswer`. If `submit` fulfils, the hook has lost no answer, or the adapter has
 * submitted again by itself. If the wallet was then paid twice, the adapter is at fault.
 */
export async function submittedUnanswered(
  { payout, received, check }: PayoutTest,
  state: PayoutState,
  order: PayoutOrder,
): Promise<void> {
  const isAnswered = await payout.submit(state).then(
    () => true,
    () => false,
  );
  const amount = received === null ? 0n : await received(order);
  if (amount > order.amount) {
    const seen = `the wallet has received ${amount} base units after one call of \`submit\` whose first answer was lost`;
    check.by('once').fail(insteadOf(seen, `${order.amount}, the amount of the order`));
  }
  if (isAnswered)
    check.notChecked(
      '`loseAnswer` does nothing: `submit` fulfilled, so it got an answer. Let the submission arrive, and break the ' +
        'connection. If your adapter then asks by itself whether the submission has arrived, lose that answer too.',
    );
}
