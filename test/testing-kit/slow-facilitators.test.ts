/** Facilitators whose `settle` answers `unknown`. The suite looks the payments up, as the port tells a caller. */
import { describe, expect, it } from '@jest/globals';
import { facilitatorConformance } from '../../testing';
import {
  FACILITATOR_CONTRACT,
  type FacilitatorSentence,
} from '../../testing/facilitator-conformance/contract';
import { recordingRunner, type Recording } from '../storage/broken/recording-runner';
import { reportOf } from './fault-table';
import { sound, type FacilitatorFault } from './liars/facilitator-world';
import * as liars from './liars/slow-services';

function conformanceOf(fault: FacilitatorFault, only?: string): Promise<Recording> {
  const { runner, run } = recordingRunner(expect);
  facilitatorConformance(runner, { create: async () => liars.slowly(fault) });
  return run(only);
}

const V2 = 'what is paid: a payment in the form v2 is verified without moving anything, then settled';
const ONCE = 'what is paid: a payment counts once, however often it is settled';

const FAULTS: [does: string, fault: FacilitatorFault, test: string, sentence: FacilitatorSentence][] = [
  ['never says that the money has moved', liars.neverSaysWhatBecame, V2, 'lookup'],
  ['never says that it has lost a submission', liars.losesWhatItTakes, V2, 'lookup'],
  ['calls each submission that it has lost unused', liars.takesNothing, V2, 'moves'],
  ['calls a submission settled before the money has moved', liars.findsWhatIsQueued, V2, 'moves'],
  ['takes a copy for a further payment', liars.paysCopiesLater, ONCE, 'once'],
];

describe('a facilitator whose service needs a moment for each submission', () => {
  it('passes the suite', async () => {
    const { reports, passed } = await conformanceOf(sound);
    expect(reports).toEqual(new Map());
    expect(passed.length).toBeGreaterThan(30);
  });

  it('passes the checks of poor payers if its look-up refuses them', async () => {
    const { reports, passed } = await conformanceOf(liars.looksAtTheBalanceLater, 'payers without money');
    expect(reports).toEqual(new Map());
    expect(passed.length).toBe(4);
  });

  it.each(FAULTS)('is found out if it %s', async (_does, fault, test, sentence) => {
    const { reports } = await conformanceOf(fault, test);
    expect(reports.get(test)).toMatch(reportOf(FACILITATOR_CONTRACT, sentence));
  });

  it('is told how often the suite has looked for the payment', async () => {
    const { reports } = await conformanceOf(liars.takesNothing, V2);
    expect(reports.get(V2)).toContain(
      '`settle` of a valid payment answered {"status":"unknown","reason":"queued"}, and after 40 look-ups `lookup` still answered {"status":"unused"',
    );
  });
});
