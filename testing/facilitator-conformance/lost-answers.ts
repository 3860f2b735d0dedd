/** Services that do not say what they have done with a submission. */
import type { SettleResult } from '../../src/ports/facilitator';
import { listOf } from '../conformance/check';
import { insteadOf } from '../conformance/failure';
import { comesTrue } from '../conformance/watch';
import { checkFound, checkReceived, checkValid, type FacilitatorSuite, type FacilitatorTest } from './suite';
import type { LostAnswer } from './types';

const LOST_ANSWERS: Readonly<Record<LostAnswer, string>> = {
  cut: 'the connection is cut',
  late: 'the connection is cut before it arrives',
  silence: 'no answer comes',
  error: 'HTTP 500',
  denied: 'HTTP 401',
  nonsense: 'well-formed text that no adapter knows',
  malformed: 'bytes that cannot be parsed',
};
/** How long the suite waits for `settle` to answer before it lets a late submission arrive. */
const LATE_MS = 2_000;

export function lostAnswerTests({ describe, test }: FacilitatorSuite): void {
  describe('a submission whose answer is lost', () => {
    const cited = ['unavailable', 'unknown', 'once', 'paid', 'invalid', 'ends'] as const;
    for (const [how, words] of Object.entries(LOST_ANSWERS) as [LostAnswer, string][])
      test(`is not called one that was never made, and moves the money once (${words})`, cited, (t) =>
        checkLostAnswer(t, how),
      );
    test(
      'is not called one that was never made, with each HTTP error of a proxy',
      ['unavailable', 'invalid', 'unknown'],
      errorsTest,
    );
  });
}

/** Statuses of errors after which the service may still have taken the submission. */
const HTTP_ERRORS = [408, 429, 502, 503, 504];

/** One adapter gets all errors, one after the other. */
async function errorsTest(t: FacilitatorTest): Promise<void> {
  const { facilitator, requirements, check, hooks } = t;
  const { loseAnswer } = hooks;
  if (!check.given('loseAnswer', loseAnswer, 'loses the answer to the next submission')) return;
  if (loseAnswer.length < 2) return void absent(check, "loseAnswer('error', status)");
  for (const status of HTTP_ERRORS) {
    const payment = await t.pay();
    if ((await loseAnswer('error', status)) === false) absent(check, `loseAnswer('error', ${status})`);
    else
      checkLostStatus(
        t,
        (await facilitator.settle(payment, requirements)).status,
        `of which a proxy has answered HTTP ${status}`,
      );
  }
}

function checkLostStatus({ check }: FacilitatorTest, status: string, how: string): void {
  const seen = insteadOf(
    `\`settle\` of a payment that has arrived, ${how}: "${status}"`,
    '"settled", "spent" or "unknown"',
  );
  if (status === 'unavailable') check.fail(seen);
  if (status === 'invalid' || status === 'insufficient_funds') check.by('invalid').fail(seen);
  check
    .by('unknown')
    .oneOf(status, ['settled', 'spent', 'unknown'], `\`settle\` of a payment that has arrived, ${how}`);
}

async function checkLostAnswer(t: FacilitatorTest, how: LostAnswer): Promise<void> {
  const { facilitator, requirements, check, hooks } = t;
  // A test that has made an assertion does not count as skipped, so the hook comes before the first assertion.
  if (!check.given('loseAnswer', hooks.loseAnswer, 'loses the answer to the next submission')) return;
  const payment = await t.pay();
  await checkValid(t, payment);
  const arrive = await losesAnswer(t, how);
  if (arrive === null) return;
  let isAnswered = false;
  const settling = facilitator.settle(payment, requirements).finally(() => (isAnswered = true));
  // The check awaits `settling` only after other steps, so an earlier rejection must not count as unhandled.
  settling.catch(() => undefined);
  // The `settle` of an adapter may wait for the late submission, so the suite waits for its answer only for a while.
  if (how === 'late') await comesTrue(async () => isAnswered, LATE_MS);
  if (how === 'late' && isAnswered) refuseIdle(t, how, await settling);
  await arrive();
  const result = await settling;
  if (how === 'cut') refuseIdle(t, how, result);
  checkLostStatus(t, result.status, `of which the answer was lost (${LOST_ANSWERS[how]})`);
  const amount = BigInt(requirements.amount);
  if (!(await t.until(async () => (await t.received()) >= amount)))
    check
      .by('moves')
      .fail(
        'a payment whose answer was lost never arrived',
        'Let `loseAnswer` carry the submission out, and lose only the answer.',
      );
  checkFound(t, await facilitator.lookup(payment, requirements), payment, 'paid');
  for (const time of ['second', 'third']) {
    const again = await facilitator.settle(payment, requirements);
    check
      .by('once')
      .oneOf(
        again.status,
        ['settled', 'spent', 'unknown'],
        `a ${time} \`settle\` of a payment that has arrived`,
      );
  }
  await checkReceived(t, 1, 'base units that `payTo` has after three `settle` of one payment', 'once');
}

/**
 * Reports that the hook has lost no answer, if `settle` answered settled. After `cut`, an adapter that asks a chain
 * (its `times` have `asOf`) may answer so, because it finds the payment on the chain.
 */
function refuseIdle(
  { hooks: { times }, check }: FacilitatorTest,
  how: 'cut' | 'late',
  { status }: SettleResult,
): void {
  if (status !== 'settled' || (how === 'cut' && listOf(times).includes('asOf'))) return;
  check.notChecked(
    `\`loseAnswer('${how}')\` does nothing, or the adapter has asked again by itself: \`settle\` answered settled, so it got an answer. ` +
      'Break the connection of the submission. If your adapter then asks again by itself, break that connection too.',
  );
}

/**
 * Makes the answer to the next submission get lost in this way. Returns a function that lets a late submission arrive.
 * `null` if the hook cannot lose the answer so.
 */
async function losesAnswer(
  { hooks: { loseAnswer }, check }: FacilitatorTest,
  how: LostAnswer,
): Promise<(() => Promise<void>) | null> {
  if (!check.given('loseAnswer', loseAnswer, 'loses the answer to the next submission')) return null;
  const isOfOneForm = loseAnswer.length === 0;
  if (isOfOneForm && how !== 'cut') return absent(check, `loseAnswer('${how}')`);
  const arrive = await loseAnswer(how);
  if (arrive === false) return absent(check, `loseAnswer('${how}')`);
  if (typeof arrive === 'function') return arrive;
  if (how !== 'late') return async () => undefined;
  return check.notChecked(
    "Let `loseAnswer('late')` return a function that lets the submission arrive, or `false` if no test can.",
  );
}

/** A form that a hook cannot make counts as declared absent. */
const absent = (check: FacilitatorTest['check'], form: string): null => {
  check.given(form, false, form);
  return null;
};
