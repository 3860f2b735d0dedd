/** Oracles with one fault each. The suite finds each fault and names it. */
import { describe, expect, it } from '@jest/globals';
import { oracleConformance, type OracleUnderTest } from '../../testing';
import { ORACLE_CONTRACT } from '../../testing/oracle-conformance/contract';
import { reportOf } from './fault-table';
import { recordingRunner, type Recording } from '../storage/broken/recording-runner';
import * as careless from './liars/careless-oracles';
import * as credulous from './liars/credulous-oracles';
import { CONFUSED, FAULTS, NAMED, SAYS } from './liars/oracle-faults';
import * as liars from './liars/oracles';

/** The time limit of a check. It is long, because a loaded machine is slow. */
const PATIENT_MS = 20_000;
/** The time limit of a check of an oracle that never ends. It is longer than the time limit of a correct oracle. */
const HASTY_MS = 500;
/** How long an oracle may take to end after its signal is aborted. The time limit of the oracles is twice as long. */
const SOON_MS = liars.OWN_LIMIT_MS / 2;

function conformanceOf(
  create: () => Promise<OracleUnderTest>,
  timeLimitMs: number,
  only = '',
): Promise<Recording> {
  const { runner, run } = recordingRunner(expect);
  oracleConformance(runner, { create, timeLimitMs, soonMs: SOON_MS });
  return run(only);
}

describe('the oracle conformance suite', () => {
  it.each(['1234.5', '5.25', '1234567', '1234', '5.125'])(
    'passes an oracle that reads texts strictly: %s',
    async (yes) => {
      const create = async () => liars.oracleWith(credulous.readsTextsStrictly(yes));
      const { passed, failed } = await conformanceOf(create, PATIENT_MS, 'from a field');
      expect([passed.length, failed]).toEqual([1, []]);
    },
  );

  it('passes an oracle that keeps its word', async () => {
    const { reports, passed } = await conformanceOf(async () => liars.oracleWith(liars.sound), PATIENT_MS);
    expect(reports).toEqual(new Map());
    expect(passed.length).toBeGreaterThan(10);
  });

  it.each(FAULTS)('tells of an oracle that $does', async ({ fault, test, sentence }) => {
    const limit = [liars.waitsEndlessly, careless.waitsForTheBody].includes(fault) ? HASTY_MS : PATIENT_MS;
    const { reports } = await conformanceOf(async () => liars.oracleWith(fault), limit, test);
    expect(reports.get(test)).toMatch(reportOf(ORACLE_CONTRACT, sentence));
    // The same oracle passes another test of the suite.
    const other = test === NAMED ? SAYS : NAMED;
    const { passed } = await conformanceOf(async () => liars.oracleWith(fault), limit, other);
    expect(passed).toEqual([other]);
  });

  it('takes a judge that answers equal texts equally, also of another market', async () => {
    const judge: liars.OracleFault = (_honest, newsroom) => ({
      role: 'judge',
      ask: async (_question, { signal } = {}) => newsroom.report(liars.limited(signal)),
    });
    const { passed } = await conformanceOf(async () => liars.oracleWith(judge), PATIENT_MS, CONFUSED);
    expect(passed).toEqual([CONFUSED]);
    const authority: liars.OracleFault = (...given) => ({ ...judge(...given), role: 'authority' });
    const byText = async () => ({ ...liars.oracleWith(authority), decidesBy: 'text' as const });
    expect((await conformanceOf(byText, PATIENT_MS, CONFUSED)).passed).toEqual([CONFUSED]);
  });

  it.each(['provisional', 'confuse', 'unsure'] as const)(
    'says that the hook %s does nothing',
    async (hook) => {
      const create = async () => ({
        ...liars.oracleWith(liars.sound),
        [hook]: async () => async () => undefined,
      });
      const { reports } = await conformanceOf(create, PATIENT_MS, 'a result:');
      expect([...reports.values()].join()).toContain(`\`${hook}\` does nothing`);
      expect(reports.size).toBe(1);
    },
  );

  it('asks for the number of a market that an authority could know', async () => {
    const { reports } = await conformanceOf(
      async () => {
        const made = liars.oracleWith(liars.sound);
        return { ...made, question: () => ({ ...made.question(), marketId: null }) };
      },
      PATIENT_MS,
      CONFUSED,
    );
    expect(reports.get(CONFUSED)).toContain('Give `question()` a `marketId` that the sources know');
  });

  it('refuses by name what it was given no means to look at', async () => {
    const { reports } = await conformanceOf(async () => {
      const { oracle, question, destroy } = liars.oracleWith(liars.sound);
      // A test in JavaScript has no types, so it may leave `knownEarly` out.
      return { oracle, question, destroy } as OracleUnderTest;
    }, PATIENT_MS);
    const asked = [...reports.values()].map((report) => /declare `(\w+): false`/.exec(report)?.[1]);
    expect(new Set(asked)).toEqual(
      new Set([
        'know',
        'provisional',
        'confuse',
        'unsure',
        'stall',
        'garble',
        'failWith',
        'redirect',
        'cutOff',
        'secrets',
        'knownEarly',
      ]),
    );
  });
});
