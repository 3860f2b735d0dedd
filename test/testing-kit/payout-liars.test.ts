/** Payouts with one fault each. The suite finds each fault and names it. */
import { describe, expect, it } from '@jest/globals';
import { payoutConformance, type PayoutUnderTest } from '../../testing';
import { PAYOUT_CONTRACT, type PayoutSentence } from '../../testing/payout-conformance/contract';
import { recordingRunner, type Recording } from '../storage/broken/recording-runner';
import { payoutWith, type PayoutFault } from './liars/bank';
import * as liars from './liars/payouts';

/**
 * The usual limit is long, because a loaded machine is slow. The short limits are for faults for which the
 * suite would wait until its limit.
 */
const PATIENT_MS = 20_000;
const LIMITS_MS = new Map<PayoutFault, number>([
  [liars.neverAnswers, 300],
  [liars.keepsStatesInMemory, 1_000],
]);

function conformanceOf(create: () => Promise<PayoutUnderTest>, timeLimitMs = PATIENT_MS): Promise<Recording> {
  const { runner, run } = recordingRunner(expect);
  payoutConformance(runner, { create, timeLimitMs });
  return run();
}

const TWICE = 'a payout: is paid once when it is submitted twice';

const FAULTS: { does: string; fault: PayoutFault; test: string; sentence: PayoutSentence }[] = [
  {
    does: 'sends when it prepares',
    fault: liars.sendsWhenPrepared,
    test: 'a payout: sends nothing when it is prepared',
    sentence: 'sendsNothing',
  },
  {
    does: 'pays with every submission',
    fault: liars.paysEverySubmission,
    test: 'a payout: pays once, however often and by whichever process it is submitted',
    sentence: 'once',
  },
  {
    does: 'remembers in its own process only what it has sent',
    fault: liars.remembersAlone,
    test: 'a payout: pays once, however often and by whichever process it is submitted',
    sentence: 'once',
  },
  {
    does: 'keeps what it has to know in memory',
    fault: liars.keepsStatesInMemory,
    test: 'a payout: that was sent before a crash is followed by the next process',
    sentence: 'state',
  },
  {
    does: 'sends when it is checked',
    fault: liars.sendsWhenChecked,
    test: 'a payout: sends nothing when it is checked',
    sentence: 'proof',
  },
  {
    does: 'takes absence for loss',
    fault: liars.takesAbsenceForLoss,
    test: 'a payout that is not found: is neither lost nor failed, and is paid once',
    sentence: 'proof',
  },
  {
    does: 'takes silence for failure',
    fault: liars.takesSilenceForFailure,
    test: 'without what it depends on: nothing is prepared, sent or known',
    sentence: 'proof',
  },
  {
    does: 'confirms what is under way',
    fault: liars.confirmsWhatIsUnderWay,
    test: 'a payout that takes long: is pending or offered anew, and paid once',
    sentence: 'proof',
  },
  {
    does: 'offers anew what does not exclude the old offer',
    fault: liars.renewsWithoutExcluding,
    test: 'a payout that takes long: is pending or offered anew, and paid once',
    sentence: 'exclude',
  },
  {
    does: 'pays what it has called lost',
    fault: liars.paysWhatWasLost,
    test: 'a payout that has not happened: and never can is lost, and is prepared again',
    sentence: 'lost',
  },
  {
    does: 'promises the same money twice',
    fault: liars.promisesMoneyTwice,
    test: 'what cannot be paid: beside what is stored is put off: no money is promised twice',
    sentence: 'outstanding',
  },
  {
    does: 'refuses for good for want of money',
    fault: liars.refusesForWantOfMoney,
    test: 'what cannot be paid: for want of money is put off, not refused',
    sentence: 'notNow',
  },
  {
    does: 'says that it has sent when it is away',
    fault: liars.saysSentWhenAway,
    test: 'without what it depends on: nothing is prepared, sent or known',
    sentence: 'rejection',
  },
  {
    does: 'takes two orders to one wallet for the same',
    fault: liars.takesLikeForLike,
    test: 'a payout: does not stand for another of the same amount to the same wallet',
    sentence: 'outstanding',
  },
  {
    does: 'prepares nothing beside the payouts of another adapter',
    fault: liars.stumblesOverForeignStates,
    test: 'payouts that another adapter has prepared: keep no other payout waiting',
    sentence: 'keeps',
  },
  {
    does: 'confirms what another adapter has prepared',
    fault: liars.confirmsForeignStates,
    test: 'payouts that another adapter has prepared: stay as they are, and are told',
    sentence: 'notOurs',
  },
  {
    does: 'says nothing of what another adapter has prepared',
    fault: liars.isSilentAboutForeignStates,
    test: 'payouts that another adapter has prepared: stay as they are, and are told',
    sentence: 'notOurs',
  },
  {
    does: 'keeps a fee',
    fault: liars.keepsAFee,
    test: 'a payout: pays what was ordered, and says so',
    sentence: 'became',
  },
  {
    does: 'never answers what became of it',
    fault: liars.neverAnswers,
    test: 'a payout: pays what was ordered, and says so',
    sentence: 'sends',
  },
  {
    does: 'reads the states of others as its own',
    fault: liars.stumblesOverNull,
    test: 'payouts that another adapter has prepared: stay as they are, and are told',
    sentence: 'notOurs',
  },
  {
    does: 'pays orders of another network',
    fault: liars.paysElsewhere,
    test: 'what cannot be paid: here is not prepared: another network, another token',
    sentence: 'elsewhere',
  },
  {
    does: 'pays orders of another token',
    fault: liars.paysAnyToken,
    test: 'what cannot be paid: here is not prepared: another network, another token',
    sentence: 'elsewhere',
  },
  {
    does: 'pays each submission anew, and never finds what it has paid',
    fault: liars.paysUnderNewNumbers,
    test: TWICE,
    sentence: 'once',
  },
  {
    does: 'loses digits of large amounts',
    fault: liars.countsInNumbers,
    test: 'a payout: pays an amount that no number of JavaScript holds',
    sentence: 'became',
  },
  {
    does: 'has its key in its name',
    fault: liars.isNamedByItsKey,
    test: 'a payout: tells no secret',
    sentence: 'secret',
  },
  {
    does: 'rounds amounts',
    fault: liars.rounds,
    test: 'a payout: pays the very amount, to the last base unit',
    sentence: 'became',
  },
  {
    does: 'keeps its key in states',
    fault: liars.keepsItsKeyInStates,
    test: 'a payout: sends nothing when it is prepared',
    sentence: 'secret',
  },
  {
    does: 'tells its key in an error',
    fault: liars.tellsItsKey,
    test: 'without what it depends on: nothing is prepared, sent or known',
    sentence: 'secret',
  },
  {
    does: 'tells its stack in an error',
    fault: liars.tellsItsStack,
    test: 'without what it depends on: nothing is prepared, sent or known',
    sentence: 'secret',
  },
  {
    does: 'tells its key in a reason',
    fault: liars.tellsItsKeyInReasons,
    test: 'without what it depends on: nothing is prepared, sent or known',
    sentence: 'secret',
  },
  {
    does: 'leaves the transaction out',
    fault: liars.namesNoTransaction,
    test: 'a payout: pays what was ordered, and says so',
    sentence: 'became',
  },
  {
    does: 'gives no reason',
    fault: liars.givesNoReason,
    test: 'a payout that has not happened: and never can is lost, and is prepared again',
    sentence: 'became',
  },
  {
    does: 'has a status of its own',
    fault: liars.hasAStatusOfItsOwn,
    test: 'a payout: pays what was ordered, and says so',
    sentence: 'became',
  },
];

describe('the payout conformance suite', () => {
  it('passes a payout that keeps its word', async () => {
    const { reports, passed } = await conformanceOf(async () => payoutWith(liars.sound));
    expect(reports).toEqual(new Map());
    expect(passed.length).toBeGreaterThan(15);
  });

  it.each(FAULTS)('tells of a payout that $does', async ({ fault, test, sentence }) => {
    const { failed, reports, passed } = await conformanceOf(
      async () => payoutWith(fault),
      LIMITS_MS.get(fault),
    );
    expect(failed).toContain(test);
    expect(reports.get(test)).toContain(
      `The contract of the port Payout is broken: “${PAYOUT_CONTRACT.sentences[sentence]}”\nSeen: `,
    );
    // The suite reports the fault, and further tests pass.
    expect(passed.length).toBeGreaterThan(2);
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

  it('names each sentence for which it was given no means to look', async () => {
    const { reports } = await conformanceOf(async () => {
      const { payout, order, destroy } = payoutWith(liars.sound);
      return { payout, order, destroy };
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
          'overtake',
          'fail',
          'hide',
          'loseAnswer',
          'cutOff',
          'secrets',
        ],
      ]),
    );
  });
});
