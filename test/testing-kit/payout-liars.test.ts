/** Payouts with one fault each. The suite finds each fault and names it. */
import { describe, expect, it } from '@jest/globals';
import { payoutConformance, type PayoutUnderTest } from '../../testing';
import { PAYOUT_CONTRACT, type PayoutSentence } from '../../testing/payout-conformance/contract';
import { recordingRunner, type Recording } from '../storage/broken/recording-runner';
import { foundBy, reportOf, type Found } from './fault-table';
import { payoutWith, type PayoutFault } from './liars/bank';
import * as careless from './liars/careless-payouts';
import * as hasty from './liars/hasty-payouts';
import * as liars from './liars/payouts';
import * as stuck from './liars/stuck-payouts';

/** The usual limit is long, because a loaded machine is slow. Faults that make a check wait have a shorter one. */
const PATIENT_MS = 20_000;
const LIMITS_MS = new Map<PayoutFault, number>([
  [liars.neverAnswers, 300],
  [careless.remembersTheBalance, 4_000],
  [careless.waitsForSilentBanks, 1_000],
  [careless.waitsForTheBody, 1_000],
  [stuck.submitsOnceOnly, 1_000],
  [stuck.keepsItsLock, 1_000],
  [stuck.givesUpTheBank, 1_000],
  [liars.keepsStatesInMemory, 1_000],
  [hasty.doesNotSayEnding, 200],
  [hasty.isEndingForEver, 200],
  [liars.remembersAlone, 3_000],
]);

function conformanceOf(
  create: () => Promise<PayoutUnderTest>,
  timeLimitMs = PATIENT_MS,
  only?: string,
): Promise<Recording> {
  const { runner, run } = recordingRunner(expect);
  payoutConformance(runner, { create, timeLimitMs });
  return run(only);
}

/** The beginnings of names of tests. Each faulty payout passes at least one of these tests. */
const OTHER_CHECKS = [
  'a payout: has a name',
  'a payout: tells no secret',
  'what cannot be paid: ever is refused',
];

const TWICE = 'a payout: is paid once when it is submitted twice';

const PROVISIONAL =
  'a payout that the service shows and that may still change: is pending and ending, and is then confirmed';

const FAULTS: Found<PayoutFault, PayoutSentence>[] = [
  ...foundBy('a submission whose answer is lost: is found, and paid once', 'once', {
    'repeats a submission under a new key': careless.repeatsUnderANewKey,
  }),
  ...foundBy('addresses of an order: mean the same in lower case and in EIP-55 form', 'spelling', {
    'compares the token by its text': liars.comparesTheTokenByCase,
    'pays only recipients in lower case': liars.refusesCapitals,
  }),
  ...foundBy(
    'addresses of an order: count as one token in both forms: no money is promised twice',
    'spelling',
    { 'counts stored payouts of the same spelling only': liars.countsTokensByCase },
  ),
  ...foundBy('a payout: sends nothing when it is prepared', 'sendsNothing', {
    'sends when it prepares': liars.sendsWhenPrepared,
  }),
  ...foundBy('a payout: pays once, however often and by whichever process it is submitted', 'once', {
    'pays with every submission': liars.paysEverySubmission,
    'remembers in its own process only what it has sent': liars.remembersAlone,
  }),
  ...foundBy('a payout: that was sent before a crash is followed by the next process', 'state', {
    'keeps what it has to know in memory': liars.keepsStatesInMemory,
  }),
  ...foundBy('a payout: sends nothing when it is checked', 'looks', {
    'sends when it is checked': liars.sendsWhenChecked,
  }),
  ...foundBy('a payout that is not found: is neither lost nor failed, and is paid once', 'proof', {
    'takes absence for loss': liars.takesAbsenceForLoss,
    'takes absence for loss when the payout is old': careless.givesUpOldPayouts,
  }),
  ...foundBy('without what it depends on: nothing is prepared, sent or known', 'failed', {
    'takes silence for failure': liars.takesSilenceForFailure,
  }),
  ...foundBy('a payout that takes long: is pending or offered anew, and paid once', 'paid', {
    'confirms what is under way': liars.confirmsWhatIsUnderWay,
  }),
  ...foundBy(PROVISIONAL, 'paid', {
    'confirms what may still change': hasty.confirmsWhatMayChange,
  }),
  ...foundBy(PROVISIONAL, 'failed', {
    'calls what may still change failed': hasty.failsWhatMayChange,
  }),
  ...foundBy(PROVISIONAL, 'proof', {
    'calls what may still change lost': hasty.losesWhatMayChange,
  }),
  ...foundBy(PROVISIONAL, 'ending', {
    'does not say that what may still change is ending': hasty.doesNotSayEnding,
    'says of what was never submitted that it is ending': hasty.isAlwaysEnding,
  }),
  ...foundBy(PROVISIONAL, 'pending', {
    'says of each payout that it is still ending': hasty.isEndingForEver,
  }),
  ...foundBy(PROVISIONAL, 'became', {
    'says in words that a payout is ending': hasty.saysEndingInWords,
  }),
  ...foundBy('a payout that takes long: is pending or offered anew, and paid once', 'exclude', {
    'offers anew what does not exclude the old offer': liars.renewsWithoutExcluding,
  }),
  ...foundBy('a payout that has not happened: and never can is lost, and is prepared again', 'lost', {
    'pays what it has called lost': liars.paysWhatWasLost,
  }),
  ...foundBy(
    'what cannot be paid: beside what is stored is put off: no money is promised twice',
    'outstanding',
    {
      'promises the same money twice': liars.promisesMoneyTwice,
    },
  ),
  ...foundBy('what cannot be paid: for want of money is put off, not refused', 'notNow', {
    'refuses for good for want of money': liars.refusesForWantOfMoney,
  }),
  ...foundBy('what cannot be paid: depends on the balance of the moment', 'notNow', {
    'remembers the balance of the treasury': careless.remembersTheBalance,
  }),
  ...foundBy('without what it depends on: nothing is prepared, sent or known', 'sends', {
    'says that it has sent when it is away': liars.saysSentWhenAway,
    'swallows the failures of a submission': careless.swallowsFailures,
  }),
  ...foundBy('a payout: does not stand for another of the same amount to the same wallet', 'paid', {
    'takes two orders to one wallet for the same': liars.takesLikeForLike,
  }),
  ...foundBy('payouts that another adapter has prepared: keep no other payout waiting', 'keeps', {
    'prepares nothing beside the payouts of another adapter': liars.stumblesOverForeignStates,
  }),
  ...foundBy('payouts that another adapter has prepared: stay as they are, and are told', 'notOurs', {
    'confirms what another adapter has prepared': liars.confirmsForeignStates,
    'says nothing of what another adapter has prepared': liars.isSilentAboutForeignStates,
    'reads the states of others as its own': liars.stumblesOverNull,
    'recognises its states by a name of a field': careless.goesByFieldNames,
  }),
  ...foundBy('a payout: pays what was ordered, and says so', 'paid', {
    'keeps a fee': liars.keepsAFee,
  }),
  ...foundBy('a payout: pays what was ordered, and says so', 'became', {
    'leaves the transaction out': liars.namesNoTransaction,
    'has a status of its own': liars.hasAStatusOfItsOwn,
  }),
  ...foundBy('a service that: answers with an HTTP error proves nothing', 'failed', {
    'takes an HTTP error for a failed payout': careless.takesErrorsForFailure,
  }),
  ...foundBy('a service that: answers with an HTTP error proves nothing', 'notNow', {
    'refuses for good at an HTTP error': careless.refusesAtErrors,
  }),
  ...foundBy('a service that: answers with one wrong field proves nothing', 'failed', {
    'takes a status that it does not know for a failed payout': careless.takesUnknownWordsForFailure,
  }),
  ...foundBy('a service that: answers with one wrong field proves nothing', 'paid', {
    'takes a status that it does not know for a paid payout': careless.takesUnknownWordsForPaid,
  }),
  ...foundBy('a service that: never answers lets every call end', 'ends', {
    'has no time limit when it checks': careless.waitsForSilentBanks,
  }),
  ...foundBy('a service that: stops in the middle of its answers lets every call end', 'ends', {
    'has a time limit that ends with the headers': careless.waitsForTheBody,
  }),
  ...foundBy('a submission that fails: is made again, and then pays', 'order', {
    'submits each payout once only': stuck.submitsOnceOnly,
    'keeps its lock after a failed submission': stuck.keepsItsLock,
    'asks its service no more after a failed submission': stuck.givesUpTheBank,
  }),
  ...foundBy('a submission that fails: is made again, and then pays', 'notNow', {
    'prepares nothing after a failed submission': stuck.preparesNoMore,
  }),
  ...foundBy('a submission that fails: with an HTTP error rejects', 'sends', {
    'does not look at the status when it submits': stuck.ignoresTheStatus,
  }),
  ...foundBy('a submission that fails: with an HTTP error rejects', 'sends', {
    'takes HTTP 400 and 422 for a payout that was sent before': careless.swallowsRefusals,
    'takes HTTP 408 and 504 for a payout that was sent': careless.swallowsTimeLimits,
  }),
  ...foundBy('a service that: answers with an HTTP error proves nothing', 'proof', {
    'takes HTTP 410 for the end of a payout': careless.takesGoneForLost,
  }),
  ...foundBy('a payout: sends nothing when it is checked', 'proof', {
    'rejects while the bank does not know the payout': careless.rejectsBeforeSubmission,
  }),
  ...foundBy('without what it depends on: nothing is prepared, sent or known', 'notNow', {
    'rejects where it cannot pay now': careless.rejectsToPrepare,
  }),
  ...foundBy('a redirect: gets no secret, and proves nothing', 'redirect', {
    'follows a redirect with its key': stuck.carriesItsKeyElsewhere,
  }),
  ...foundBy('a redirect: gets no secret, and proves nothing', 'proof', {
    'believes the server of a redirect': stuck.believesOtherServers,
  }),
  ...foundBy('what cannot be paid: beside two that are stored is put off: both count', 'outstanding', {
    'counts the first stored payout only': stuck.countsTheFirstOnly,
  }),
  ...foundBy(
    'what cannot be paid: beside what is stored is put off, to the last base unit of an amount above 2^53',
    'outstanding',
    { 'sums the stored amounts in numbers': stuck.sumsInNumbers },
  ),
  ...foundBy('a payout: is not the payout of another order of the same millisecond', 'sends', {
    'numbers its payouts by the clock': stuck.numbersByTheClock,
  }),
  ...foundBy('a payout: is not the payout of another order that another process has prepared', 'sends', {
    'numbers its payouts in memory': stuck.numbersInMemory,
  }),
  ...foundBy('a payout: pays what was ordered, and says so', 'ends', {
    'never answers what became of it': liars.neverAnswers,
  }),
  ...foundBy('what cannot be paid: here is not prepared: another network, another token', 'elsewhere', {
    'pays orders of another network': liars.paysElsewhere,
    'pays orders of another token': liars.paysAnyToken,
  }),
  ...foundBy(TWICE, 'once', {
    'pays each submission anew, and never finds what it has paid': liars.paysUnderNewNumbers,
  }),
  ...foundBy('a payout: pays an amount that no number of JavaScript holds', 'paid', {
    'loses digits of large amounts': liars.countsInNumbers,
  }),
  ...foundBy('a payout: tells no secret', 'secret', {
    'has its key in its name': liars.isNamedByItsKey,
  }),
  ...foundBy('a payout: pays the very amount, to the last base unit', 'paid', {
    'rounds amounts': liars.rounds,
    'loses the zeros of small amounts': stuck.losesZeros,
  }),
  ...foundBy('a payout that has not happened: because it failed moves nothing any more', 'failed', {
    'counts in memory how often it has prepared an order': stuck.countsPreparationsInMemory,
  }),
  ...foundBy('a payout: sends nothing when it is prepared', 'secret', {
    'keeps its key in states': liars.keepsItsKeyInStates,
  }),
  ...foundBy('without what it depends on: nothing is prepared, sent or known', 'secret', {
    'tells its key in an error': liars.tellsItsKey,
    'tells its stack in an error': liars.tellsItsStack,
    'tells its key in a reason': liars.tellsItsKeyInReasons,
  }),
  ...foundBy('a payout that has not happened: and never can is lost, and is prepared again', 'became', {
    'gives no reason': liars.givesNoReason,
  }),
];

describe('the payout conformance suite', () => {
  it('passes a payout that keeps its word', async () => {
    const { reports, passed } = await conformanceOf(async () => payoutWith(liars.sound));
    expect(reports).toEqual(new Map());
    expect(passed.length).toBeGreaterThan(15);
  });

  it.each(FAULTS)('tells of a payout that $does', async ({ fault, test, sentence }) => {
    const limit = LIMITS_MS.get(fault);
    const run = (only: string): Promise<Recording> =>
      conformanceOf(async () => payoutWith(fault), limit, only);
    expect((await run(test)).reports.get(test)).toMatch(reportOf(PAYOUT_CONTRACT, sentence));
    // The fault does not make every test fail.
    const others: string[] = [];
    for (const other of OTHER_CHECKS.filter((name) => !test.startsWith(name)))
      others.push(...(await run(other)).passed);
    expect(others).not.toEqual([]);
  });

  it.each([liars.paysEverySubmission, liars.paysUnderNewNumbers])(
    'tells of a payout that pays twice first and soon',
    async (fault) => {
      const begin = performance.now();
      const { failed } = await conformanceOf(async () => payoutWith(fault));
      expect(failed[0]).toBe(TWICE);
      // No check waits until its limit of 20 seconds.
      expect(performance.now() - begin).toBeLessThan(PATIENT_MS / 2);
    },
  );

  it('tells an adapter whose key is the id of the order that the next preparation needs a new key', async () => {
    const { reports } = await conformanceOf(async () => payoutWith(careless.usesOrderIdsAsKeys));
    const report = reports.get(
      'a payout that has not happened: and never can is lost, and is prepared again',
    );
    expect(report).toContain(`“${PAYOUT_CONTRACT.sentences.lost}”`);
    expect(report).toContain('each preparation needs a new key');
  });

  it('names each sentence for which it was given no means to look', async () => {
    const { reports } = await conformanceOf(async () => {
      const { payout, order, destroy } = payoutWith(liars.sound);
      // A test in JavaScript has no types, so it may leave hooks out.
      return { payout, order, destroy } as PayoutUnderTest;
    });
    const asked = [...reports.values()].map((report) => /declare `(\w+): false`/.exec(report)?.[1]);
    expect(new Set(asked)).toEqual(
      new Set([
        ...[
          'received',
          'treasury',
          'fund',
          'unpayable',
          'stall',
          'provisional',
          'overtake',
          'fail',
          'hide',
          'loseAnswer',
          'failWith',
          'redirect',
          'garble',
          'silence',
          'cutOff',
          'secrets',
        ],
      ]),
    );
  });
});
