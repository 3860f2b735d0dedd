/** Services that answer with an error, with nonsense or not at all. None of that says what became of a payout. */
import type { PayoutState } from '../../src/ports/payout';
import { NONSENSE, spoiler, type Nonsense } from '../conformance/nonsense';
import { checkHookWorks } from './idle-hooks';
import { silenced, type SilentForm } from '../conformance/silence';
import { checkPaid, prepared, submitted, type PayoutSuite, type PayoutTest } from './suite';
import type { PayoutUnderTest } from './types';

/** None of these statuses proves that a payout was not made. */
const HTTP_ERRORS = [400, 401, 402, 403, 404, 409, 410, 422, 429, 500, 503];
/** Wrong values of a field: an unknown word, `null`, and an object in place of a text or a number. */
const WRONG_VALUES: readonly unknown[] = ['ab', null, {}];
const MOST_FIELDS = 30;

export function serviceTests({ describe, test }: PayoutSuite): void {
  describe('a service that', () => {
    test('answers with an HTTP error proves nothing', ['proof', 'looks', 'failed', 'notNow', 'once'], (t) =>
      httpErrorTest(t),
    );

    test('answers nonsense proves nothing', ['proof', 'looks', 'failed', 'notNow', 'once'], (t) =>
      nonsenseTest(t),
    );

    test('answers with one wrong field proves nothing', ['proof', 'looks', 'failed', 'once'], (t) =>
      fieldTest(t),
    );

    const cited = ['ends', 'proof', 'notNow', 'once'] as const;
    test('never answers lets every call end', cited, (t) => silenceTest(t, 'nothing'));

    test('stops in the middle of its answers lets every call end', cited, (t) => silenceTest(t, 'halfBody'));
  });
}

async function httpErrorTest(t: PayoutTest): Promise<void> {
  const { failWith } = t.hooks;
  if (!t.check.given('failWith', failWith, 'makes the services answer with an HTTP status')) return;
  await duringTroubles(t, async (checkTrouble) => {
    for (const status of HTTP_ERRORS)
      await checkTrouble(`the services answered HTTP ${status}`, () => failWith(status), 'failWith');
  });
}

async function nonsenseTest(t: PayoutTest): Promise<void> {
  const garble = garbleOf(t);
  if (garble === null) return;
  await duringTroubles(t, async (checkTrouble) => {
    for (const [name, nonsense] of Object.entries(NONSENSE))
      await checkTrouble(`the services answered ${name}`, () => garble(nonsense), 'garble');
  });
}

/** Makes one field of the answers wrong at a time. The adapter may not need the field. */
async function fieldTest(t: PayoutTest): Promise<void> {
  const garble = garbleOf(t);
  if (garble === null) return;
  await duringTroubles(t, async (checkTrouble) => {
    for (const value of WRONG_VALUES) {
      let fields = 1;
      for (let at = 0; at < Math.min(fields, MOST_FIELDS); at += 1) {
        const spoiling = spoiler(at, () => value);
        const label = `a field of the services' answers was ${JSON.stringify(value)}`;
        await checkTrouble(label, () => garble(spoiling.nonsense), 'may prepare');
        fields = Math.max(fields, spoiling.fields());
      }
    }
  });
}

const SILENCES: Readonly<Record<SilentForm, string>> = {
  nothing: 'the services did not answer',
  halfBody: 'the services sent their headers and half of the body, and then nothing',
};

async function silenceTest(t: PayoutTest, form: SilentForm): Promise<void> {
  const { silence } = t.hooks;
  const what = 'makes the services take requests and stay silent';
  if (!t.check.given('silence', silence, what)) return;
  const end = await silenced(silence, form);
  if (end === null) return void t.check.given(`silence('${form}')`, false, what);
  await end();
  const begin = async () => (await silenced(silence, form)) ?? end;
  await duringTroubles(t, (checkTrouble) => checkTrouble(SILENCES[form], begin, 'silence'));
}

function garbleOf({ hooks: { garble }, check }: PayoutTest) {
  const what = 'makes the services answer `nonsense(body)` in place of each body';
  if (!check.given('garble', garble, what)) return null;
  let calls = 0;
  return async (nonsense: Nonsense) => {
    const end = await garble((body) => {
      calls += 1;
      return nonsense(body);
    });
    return async () => {
      await end();
      if (calls === 0)
        check.notChecked(
          'Let the services answer `nonsense(body)` in place of each body: `garble` gets this function, and it was not called.',
        );
    };
  };
}

type Begin = () => Promise<() => Promise<void>>;
type CheckTrouble = (
  label: string,
  begin: Begin,
  /** The hook that makes the trouble. `may prepare`: one field is wrong, so a payout may still be prepared. */
  hook: 'failWith' | 'silence' | 'garble' | 'may prepare',
) => Promise<void>;

/**
 * Makes a payout that was paid and a payout that is under way, and lets `work` make troubles. During a trouble no
 * payout may end wrongly. After the troubles each payout is confirmed, and was paid once.
 */
async function duringTroubles(
  t: PayoutTest,
  work: (checkTrouble: CheckTrouble) => Promise<void>,
): Promise<void> {
  const [paidOrder, openOrder] = [t.order(), t.order()];
  const { states: paid } = await checkPaid(t, paidOrder, await prepared(t, paidOrder));
  const release = await stalled(t.hooks);
  const open = [await prepared(t, openOrder)];
  // Without `stall` the payout would be paid when it is submitted, so it is submitted only after the troubles.
  if (release !== null) await submitted(t.payout, open[0] as PayoutState);
  await work(async (label, begin, hook) => {
    const end = await begin();
    const [preparation] = await Promise.all([
      t.payout.prepare(t.order(), [newestOf(open)]).catch(() => ({ status: 'unavailable' })),
      checkProgress(t, open, ['pending', 'renewed'], `a payout under way, while ${label}`),
      checkProgress(t, paid, ['pending', 'renewed', 'confirmed'], `a paid payout, while ${label}`),
      release === null ? undefined : submitted(t.payout, newestOf(open)),
    ]);
    await end();
    if (preparation.status === 'prepared' && (hook === 'failWith' || hook === 'silence')) {
      await release?.();
      await checkHookWorks(t, hook, begin);
    }
    const allowed = hook === 'may prepare' ? ['prepared'] : [];
    t.check
      .by('notNow')
      .oneOf(preparation.status, ['unavailable', 'busy', ...allowed], `prepared, while ${label}`);
  });
  await release?.();
  await checkPaid(t, openOrder, newestOf(open));
  await checkPaid(t, paidOrder, newestOf(paid));
}

async function stalled({ stall }: Pick<PayoutUnderTest, 'stall'>): Promise<(() => Promise<void>) | null> {
  return stall ? await stall() : null;
}

/** Checks the newest state. A rejection is allowed, because the progress is not known. */
async function checkProgress(
  t: PayoutTest,
  states: PayoutState[],
  allowed: readonly string[],
  label: string,
): Promise<void> {
  const progress = await t.payout.check(newestOf(states)).catch(() => null);
  if (progress === null) return;
  const sentence = progress.status === 'failed' ? 'failed' : progress.status === 'lost' ? 'proof' : 'became';
  t.check.by(sentence).oneOf(progress.status, allowed, label);
  if (progress.status === 'renewed') states.push(progress.state);
}

const newestOf = (states: readonly PayoutState[]): PayoutState => states.at(-1) as PayoutState;
