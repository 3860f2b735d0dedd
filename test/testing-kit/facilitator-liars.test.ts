/** Facilitators with one fault each. The suite finds each fault and names it. */
import { describe, expect, it } from '@jest/globals';
import { facilitatorConformance, type FacilitatorUnderTest, type LostAnswer } from '../../testing';
import {
  FACILITATOR_CONTRACT,
  type FacilitatorSentence,
} from '../../testing/facilitator-conformance/contract';
import { recordingRunner, type Recording } from '../storage/broken/recording-runner';
import { foundBy, reportOf, type Found } from './fault-table';
import * as clients from './liars/careless-clients';
import * as careless from './liars/careless-facilitators';
import { HTTP_ERRORS, LIST, SERVICE_FAULTS } from './liars/service-faults';
import { facilitatorWith, sound, type FacilitatorFault } from './liars/facilitator-world';
import * as liars from './liars/facilitators';

/** The usual limit is long, because a loaded machine is slow. The faults in `CUT_OFF_SOON` get the short limit. */
const PATIENT_MS = 20_000;
const SOON_MS = 1_000;
const CUT_OFF_SOON = [
  liars.neverAnswersWhenAway,
  careless.waitsForLostAnswers,
  clients.waitsForTheBody,
  liars.movesNothing,
];

function conformanceOf(
  create: () => Promise<FacilitatorUnderTest>,
  timeLimitMs = PATIENT_MS,
  only?: string,
): Promise<Recording> {
  const { runner, run } = recordingRunner(expect);
  facilitatorConformance(runner, { create, timeLimitMs });
  return run(only);
}

/** The beginnings of names of tests. Each faulty facilitator passes at least one of these tests. */
const OTHER_CHECKS = [
  'what is paid: the facilitator has a name',
  'the optional members: say',
  'payers without money: get',
];

const ONCE = 'what is paid: a payment counts once, however often it is settled';
const lostBy = (words: string): string =>
  `a submission whose answer is lost: is not called one that was never made, and moves the money once (${words})`;
const LOST = lostBy('the connection is cut');
const FORMS: [LostAnswer, string][] = [
  ['late', 'the connection is cut before it arrives'],
  ['silence', 'no answer comes'],
  ['error', 'HTTP 500'],
  ['denied', 'HTTP 401'],
  ['nonsense', 'well-formed text that no adapter knows'],
  ['malformed', 'bytes that cannot be parsed'],
];
const GARBLED =
  'answers that cannot be understood: refuse no payment, and make nothing valid, settled or known';
const OTHERS = {
  payTo: 'another recipient',
  amount: 'a larger amount',
  asset: 'another token',
  network: 'another network',
} as const;
const unmet = (name: string): string =>
  `requirements that name: ${name} than the payer has signed are not met`;
const AWAY = 'without what it depends on: nothing is valid, settled or known, and no call rejects';

const PENDING = 'a submission that is pending: is looked up as unknown, and moves the money once';

const FAULTS: Found<FacilitatorFault, FacilitatorSentence>[] = [
  ...foundBy(ONCE, 'once', {
    'moves the money of a payment twice': liars.movesTwice,
  }),
  ...foundBy(
    'payers without money: have not paid what another payer has paid with the same nonce',
    'unused',
    {
      'remembers what it has settled by the nonce alone': liars.remembersTheNonceAlone,
    },
  ),
  ...foundBy(PENDING, 'nobodyKnows', {
    'takes a pending submission for an unused authorization': careless.callsPendingUnused,
    'forgets a pending submission when it has answered': careless.forgetsWhatIsPending,
  }),
  ...foundBy(PENDING, 'unavailable', {
    'calls a pending submission one that was never made': careless.callsPendingUnavailable,
  }),
  ...foundBy(PENDING, 'unknown', {
    'calls a pending submission settled': careless.callsPendingSettled,
  }),
  ...foundBy(ONCE, 'spent', {
    'repeats what it has verified once, after the payment was spent': liars.remembersWhatItVerified,
  }),
  ...foundBy(unmet('another recipient'), 'fits', {
    'repeats what it has verified once, for other requirements': liars.remembersWhatItVerified,
  }),
  ...foundBy('what has expired: is not called unpaid when it was paid before', 'invalid', {
    'judges windows by the clock of its machine': liars.checksWindowsByItsMachine,
  }),
  ...foundBy('what is paid: tells the times of what is settled', 'spentAt', {
    'gives the time of the look-up as the time of spending': liars.spentWhenLookedUp,
    'gives the begin of the window as the time of spending': liars.spentWhenValid,
  }),
  ...foundBy(PENDING, 'once', {
    'submits a pending payment once more': careless.submitsPendingAgain,
  }),
  ...foundBy(LOST, 'unavailable', {
    'calls a submission whose answer is lost one that was never made': careless.callsLostAnswersUnavailable,
  }),
  ...foundBy(LOST, 'invalid', {
    'calls a submission whose answer is lost invalid': careless.callsLostAnswersInvalid,
  }),
  ...foundBy(lostBy('the connection is cut before it arrives'), 'unavailable', {
    'believes the first look-up after a lost answer': careless.believesTheFirstLookUp,
  }),
  ...foundBy(HTTP_ERRORS, 'invalid', {
    'takes each HTTP 402 for a payer without money': careless.takesEach402ForPoverty,
  }),
  ...foundBy(GARBLED, 'unknown', {
    'takes an answer that it does not know for a success': careless.takesNonsenseForSettled,
  }),
  ...foundBy('what is refused: a payment that is not valid yet is invalid, and nothing is moved', 'invalid', {
    'forgets the begin of the window': liars.forgets('validAfter'),
  }),
  ...foundBy('what has expired: is invalid, and nothing is moved', 'invalid', {
    'forgets the end of the window': liars.forgets('validBefore'),
  }),
  ...foundBy('the reasons: and the name hold no secret', 'name', {
    'has its key in its name': liars.isNamedByItsKey,
  }),
  ...foundBy('what has expired: is not called unpaid when it was paid before', 'invalid', {
    'calls what it has settled expired once its window has ended': liars.checksWindowsFirst,
  }),
  ...foundBy('what is paid: tells the times of what is settled', 'spentAt', {
    'does not tell when an authorization was spent': liars.tellsNoTimeOfSpending,
  }),
  ...foundBy('what is paid: tells the times of what is settled', 'asOf', {
    'does not tell the time of the chain': liars.tellsNoTimeOfTheChain,
  }),
  ...foundBy(
    'what is paid: a payment in the form v2 is verified without moving anything, then settled',
    'asOf',
    {
      'does not tell the time of the chain of what is unused': liars.tellsNoTimeOfTheUnused,
    },
  ),
  ...foundBy(AWAY, 'reason', {
    'tells its key': liars.tellsItsKey,
    'tells its stack': liars.tellsItsStack,
  }),
  ...foundBy('what has expired: is looked up as what can never be settled', 'chainTime', {
    "calls unused what the chain's time is past": liars.callsTheExpiredUnused,
  }),
  ...foundBy(AWAY, 'nobodyKnows', {
    'takes silence for unused': careless.takesSilenceForUnused,
  }),
  ...foundBy('what a stranger submitted: is spent, and the look-up says that it paid', 'spent', {
    'claims what a stranger submitted as settled by this call': liars.claimsWhatStrangersPaid,
  }),
  ...foundBy(
    'what is refused: a payment signed by another wallet is invalid, and nothing is moved',
    'invalid',
    {
      'checks no signature': liars.checksNothing,
    },
  ),
  ...foundBy('what is paid: two facilitators move the money of a payment once', 'once', {
    'remembers in its own process only what it has settled': liars.remembersAlone,
  }),
  ...foundBy(
    'what is paid: a payment in the form v2 is verified without moving anything, then settled',
    'changesNothing',
    {
      'moves the money when it verifies': liars.paysWhenItVerifies,
    },
  ),
  ...foundBy(AWAY, 'values', {
    'rejects when it is away': liars.rejectsWhenItIsAway,
  }),
  ...foundBy('what a stranger submitted: for another recipient has not paid us', 'spentElsewhere', {
    'takes what paid another recipient for a payment': liars.takesSpentForPaid,
  }),
  ...foundBy(ONCE, 'spent', {
    'says settled and moves nothing': liars.movesNothing,
  }),
  ...foundBy(ONCE, 'transaction', {
    'gives a text for a transaction that is none': liars.namesNoTransaction,
  }),
  ...foundBy(AWAY, 'ends', {
    'never answers when it is away': liars.neverAnswersWhenAway,
  }),
  ...[careless.supportsNothing, careless.supportsUndefined, careless.supportsGarbage].map((fault, index) => ({
    does: `supports ${['nothing', 'no list', 'kinds that are none'][index]} when it is given garbage`,
    fault,
    test: LIST,
    sentence: 'supported' as const,
  })),
  {
    does: 'has no time limit when it settles',
    fault: careless.waitsForLostAnswers,
    test: lostBy('no answer comes'),
    sentence: 'ends',
  },
  ...FORMS.map(([how, words]) => ({
    does: `calls a submission one that was never made because of ${how}`,
    fault: careless.callsUnavailable(how),
    test: lostBy(words),
    sentence: 'unavailable' as const,
  })),
  ...(Object.keys(OTHERS) as (keyof typeof OTHERS)[]).map((name) => ({
    does: `goes by its own ${name} and not by the requirements`,
    fault: liars.goesByItsOwn(name),
    test: unmet(OTHERS[name]),
    sentence: 'fits' as const,
  })),
  {
    does: 'takes what paid another for a payment when it looks up',
    fault: liars.looksForTheNonce,
    test: unmet('another recipient'),
    sentence: 'paid',
  },
  ...[liars.settlesByTheBalanceFirst, liars.verifiesTheBalanceFirst].map((fault, index) => ({
    does: `calls what it has settled unpaid when it ${['settles', 'verifies'][index]} for a wallet that is empty now`,
    fault,
    test: 'payers without money: are not called poor for what they have paid before',
    sentence: (['invalid', 'spent'] as const)[index] as FacilitatorSentence,
  })),
  ...SERVICE_FAULTS,
];

describe('the facilitator conformance suite', () => {
  it('passes a facilitator that keeps its word', async () => {
    const { reports, passed } = await conformanceOf(async () => facilitatorWith(sound));
    expect(reports).toEqual(new Map());
    expect(passed.length).toBeGreaterThan(30);
  });

  it.each(FAULTS)('tells of a facilitator that $does', async ({ fault, test, sentence }) => {
    const limit = CUT_OFF_SOON.includes(fault) ? SOON_MS : PATIENT_MS;
    const run = (only: string): Promise<Recording> =>
      conformanceOf(async () => facilitatorWith(fault), limit, only);
    expect((await run(test)).reports.get(test)).toMatch(reportOf(FACILITATOR_CONTRACT, sentence));
    // The fault does not make every test fail.
    const others: string[] = [];
    for (const other of OTHER_CHECKS.filter((name) => !test.startsWith(name)))
      others.push(...(await run(other)).passed);
    expect(others).not.toEqual([]);
  });

  it('tells soon, and not of the form, that a service refuses every payment', async () => {
    const begin = performance.now();
    const { reports } = await conformanceOf(async () => facilitatorWith(careless.writesAmountsAsNumbers));
    const [first] = reports.values();
    expect(first).toContain(`“${FACILITATOR_CONTRACT.sentences.moves}”`);
    expect(first).toContain('amount must be a text');
    // No check waits for money that never comes.
    expect(performance.now() - begin).toBeLessThan(PATIENT_MS / 2);
  });

  it('asks a hook without a parameter for one form of lost answers only', async () => {
    let asked = 0;
    await conformanceOf(async () => ({
      ...facilitatorWith(sound),
      loseAnswer: async () => void (asked += 1),
    }));
    expect(asked).toBe(1);
  });

  it('names each sentence for which it was given no means to look', async () => {
    const { reports } = await conformanceOf(async () => {
      const {
        another: _a,
        stranger: _s,
        loseAnswer: _l,
        hold: _h,
        garble: _g,
        silence: _n,
        failWith: _f,
        redirect: _r,
        cutOff: _c,
        times: _t,
        secrets: _x,
        ...rest
      } = facilitatorWith(sound);
      // A test in JavaScript has no types, so it may leave hooks out.
      return rest as FacilitatorUnderTest;
    });
    const advice = [...reports.values()].map((report) => report.split('\n')[0]?.split('checked: ')[1]);
    expect(new Set(advice)).toEqual(
      new Set([
        'Give `another` (a second facilitator, as another process would have it), or declare `another: false`.',
        'Give `stranger` (submits a payment without the adapter), or declare `stranger: false`.',
        'Give `cutOff` (cuts the facilitator off from the services that it depends on), or declare `cutOff: false`.',
        'Give `loseAnswer` (loses the answer to the next submission), or declare `loseAnswer: false`.',
        'Give `hold` (holds back what is submitted), or declare `hold: false`.',
        'Give `failWith` (makes the services answer with an HTTP status), or declare `failWith: false`.',
        'Give `garble` (makes the services answer `nonsense(body)` in place of each body), or declare `garble: false`.',
        'Give `silence` (makes the services take requests and never complete an answer), or declare `silence: false`.',
        'Give `redirect` (makes the services answer with a redirect), or declare `redirect: false`.',
        'Give `times` (names the times that `lookup` gives), or declare `times: false`.',
        'Give `secrets` (lists the texts that no answer may contain), or declare `secrets: false`.',
      ]),
    );
  });
});
