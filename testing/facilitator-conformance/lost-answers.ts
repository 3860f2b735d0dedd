/** Services that do not say what they have done: the answer is lost, or the adapter cannot understand it. */
import { checkFound, checkReceived, type FacilitatorSuite, type FacilitatorTest } from './suite';
import type { Garbage, LostAnswer } from './types';

const LOST_ANSWERS: Readonly<Record<LostAnswer, string>> = {
  cut: 'the connection is cut',
  silence: 'no answer comes',
  error: 'HTTP 500',
  denied: 'HTTP 401',
  nonsense: 'well-formed text that no adapter knows',
  malformed: 'bytes that cannot be parsed',
};
const GARBAGE: readonly Garbage[] = ['nonsense', 'malformed'];

export function lostAnswerTests({ describe, test }: FacilitatorSuite): void {
  describe('a submission whose answer is lost', () => {
    const cited = ['unavailable', 'unknown', 'once', 'paid', 'invalid', 'ends'] as const;
    for (const [how, words] of Object.entries(LOST_ANSWERS) as [LostAnswer, string][])
      test(`is not called one that was never made, and moves the money once (${words})`, cited, (t) =>
        checkLostAnswer(t, how),
      );
  });

  describe('answers that cannot be understood', () => {
    const cited = ['values', 'unknown', 'nobodyKnows', 'moves', 'supported'] as const;
    for (const how of GARBAGE)
      test(`make nothing valid, settled or known (${LOST_ANSWERS[how]})`, cited, (t) => checkGarbage(t, how));
  });
}

async function checkLostAnswer(t: FacilitatorTest, how: LostAnswer): Promise<void> {
  const { facilitator, requirements, check } = t;
  const payment = await t.pay();
  if (!(await losesAnswer(t, how))) return;
  const { status } = await facilitator.settle(payment, requirements);
  const seen = `settled: ${status}, of a payment that was submitted`;
  if (status === 'unavailable') check.fail(seen);
  if (status === 'invalid' || status === 'insufficient_funds') check.by('invalid').fail(seen);
  check.by('unknown').oneOf(status, ['settled', 'spent', 'unknown'], 'settled');
  const amount = BigInt(requirements.amount);
  if (!(await t.until(async () => (await t.received()) >= amount)))
    check
      .by('moves')
      .fail('the payment whose answer was lost never arrived: `loseAnswer` must lose only the answer');
  checkFound(t, await facilitator.lookup(payment, requirements), payment, 'paid');
  for (const time of ['second', 'third']) {
    const again = await facilitator.settle(payment, requirements);
    check.by('once').oneOf(again.status, ['settled', 'spent', 'unknown'], `settled a ${time} time`);
  }
  await checkReceived(t, 1, 'received', 'once');
}

/** Makes the answer to the next submission get lost in this way. `false` if the hook cannot do that. */
async function losesAnswer(
  { hooks: { loseAnswer }, check }: FacilitatorTest,
  how: LostAnswer,
): Promise<boolean> {
  if (!check.given('loseAnswer', loseAnswer, 'loses the answer to the next submission')) return false;
  const isOfOneForm = loseAnswer.length === 0;
  if (isOfOneForm && how !== 'cut') return absent(check, `loseAnswer('${how}')`);
  return (await loseAnswer(how)) !== false || absent(check, `loseAnswer('${how}')`);
}

async function checkGarbage(t: FacilitatorTest, how: Garbage): Promise<void> {
  const { facilitator, requirements, hooks, check } = t;
  const what = 'makes the services that the adapter asks answer with garbage';
  if (!check.given('garble', hooks.garble, what)) return;
  const payment = await t.pay();
  if ((await hooks.garble(how)) === false) return void absent(check, `garble('${how}')`);
  check.equal((await facilitator.verify(payment, requirements)).status, 'unavailable', 'verified');
  const settled = await facilitator.settle(payment, requirements);
  check.by('unknown').oneOf(settled.status, ['unavailable', 'unknown'], 'settled');
  const found = await facilitator.lookup(payment, requirements);
  check.by('nobodyKnows').equal(found.status, 'unknown', 'looked up');
  check.oneOf((await facilitator.supported()).status, ['supported', 'unavailable'], 'supported');
  await checkReceived(t, 0, 'received, although `garble` must let the services do nothing', 'moves');
}

/** Notes a form that a hook cannot make as declared absent. */
const absent = (check: FacilitatorTest['check'], form: string): false => {
  check.given(form, false, form);
  return false;
};
