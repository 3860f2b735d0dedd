/**
 * Hooks that do nothing, a `create` that fails, and wrong options. The suites name them and do not blame the
 * adapter.
 */
import { describe, expect, it } from '@jest/globals';
import {
  facilitatorConformance,
  oracleConformance,
  payoutConformance,
  rateLimitConformance,
  storageConformance,
  rowStoreConformance,
  type FacilitatorUnderTest,
  type OracleUnderTest,
  type PayoutUnderTest,
  type RateLimitUnderTest,
} from '../../testing';
import { recordingRunner } from '../storage/broken/recording-runner';
import { payoutWith } from './liars/bank';
import { rateLimitWith } from './liars/count-server';
import { facilitatorWith, sound as honest } from './liars/facilitator-world';
import { oracleWith } from './liars/oracles';
import { sound } from './liars/payouts';
import { rowStoreWith } from './liars/row-stores';

const idle = async (): Promise<() => Promise<void>> => async () => undefined;

type UnsettledHook = (evidence: 'YES' | 'NO') => Promise<() => Promise<void>>;
type GarbleHook = Exclude<OracleUnderTest['garble'], false>;
const nothing = async (): Promise<void> => undefined;

describe('a hook of a payout that does nothing', () => {
  const cases: [name: string, hook: Partial<PayoutUnderTest>, test: string, advice: string][] = [
    ['failWith', { failWith: idle }, 'a service that: answers with an HTTP error', '`failWith` does nothing'],
    [
      'failWith',
      { failWith: idle },
      'a submission that fails: with an HTTP error',
      '`failWith` does nothing',
    ],
    [
      'silence',
      { silence: async (_form) => idle() },
      'a service that: never answers lets every call end',
      '`silence` does nothing',
    ],
    [
      'loseAnswer',
      { loseAnswer: async () => undefined },
      'a submission whose answer is lost: is found',
      '`loseAnswer` does nothing',
    ],
    ['stall', { stall: idle }, 'a payout that takes long', '`stall` does nothing'],
    ['overtake', { overtake: nothing }, 'and never can is lost', '`overtake` does nothing'],
    ['fail', { fail: nothing }, 'because it failed moves nothing', '`fail` does nothing'],
    ['fund', { fund: nothing }, 'to the last base unit', '`fund` does nothing'],
    ['fund', { fund: nothing }, 'depends on the balance of the moment', '`fund` does nothing'],
    ['cutOff', { cutOff: nothing }, 'nothing is prepared, sent or known', '`cutOff` does nothing'],
    ['redirect', { redirect: idle }, 'gets no secret, and proves nothing', '`redirect` does nothing'],
    ['garble', { garble: idle }, 'a service that: answers nonsense', '`garble` gets this function'],
    [
      'hide',
      { hide: async () => undefined },
      'a payout that is not found: is neither lost nor failed',
      'Let `hide` make the service know no payouts',
    ],
  ];

  it.each(cases)('is named, and the payout is not blamed: %s', async (_name, hook, test, advice) => {
    const { runner, run } = recordingRunner(expect);
    payoutConformance(runner, { create: async () => ({ ...payoutWith(sound), ...hook }), timeLimitMs: 600 });
    const { reports } = await run(test);
    const [report] = [...reports.values()];
    expect(report).toContain('The contract of the port Payout was not checked:');
    expect(report).toContain(advice);
  });
});

describe('a hook of an oracle', () => {
  const honestOracle = (): OracleUnderTest => oracleWith(() => ({}));
  /** `garble` ends `confuse` too, as with one function that ends all hooks. */
  const shared = (): Partial<OracleUnderTest> => {
    const made = honestOracle();
    let end = idle();
    return {
      ...made,
      async confuse(evidence) {
        end = (made.confuse as UnsettledHook)(evidence);
        return end;
      },
      async garble(nonsense) {
        const clear = await (made.garble as GarbleHook)(nonsense);
        return async () => {
          await clear();
          await (
            await end
          )();
        };
      },
    };
  };
  const SHARED = 'The function that `garble` returned has ended `confuse` too';
  const cases: [hook: () => Partial<OracleUnderTest>, test: string, advice: string][] = [
    [() => ({ know: nothing }), 'says what its sources say', '`know` does nothing'],
    [() => ({ stall: idle }), 'ends soon after its signal is aborted', '`stall` does nothing'],
    [() => ({ stall: async (_form) => idle() }), 'ends by itself', '`stall` does nothing'],
    [shared, 'about another subject decides nothing', SHARED],
  ];

  it.each(cases)('that does not do what it should is named: %#', async (hook, test, advice) => {
    const { runner, run } = recordingRunner(expect);
    oracleConformance(runner, { create: async () => ({ ...honestOracle(), ...hook() }), soonMs: 200 });
    const { reports } = await run(test);
    expect(reports.size).toBeGreaterThan(0);
    for (const report of reports.values()) {
      expect(report).toContain('The contract of the port Oracle was not checked:');
      expect(report).toContain(advice);
    }
  });
});

describe('a hook of a facilitator that does nothing', () => {
  const LOST = 'is not called one that was never made, and moves the money once';
  const cases: [hook: Partial<FacilitatorUnderTest>, test: string, advice: string][] = [
    [
      { loseAnswer: async () => undefined, times: ['spentAt'] },
      `${LOST} (the connection is cut)`,
      "`loseAnswer('cut')` does nothing",
    ],
    [
      { loseAnswer: async (_how) => idle() },
      `${LOST} (the connection is cut before it arrives)`,
      "`loseAnswer('late')` does nothing",
    ],
    [
      { moveClock: async () => undefined },
      'is not called unpaid when it was paid before',
      '`moveClock` does nothing: after `moveClock(',
    ],
    [{ failWith: idle }, 'HTTP errors: refuse no payment', '`failWith` does nothing'],
    [{ silence: async (_form) => idle() }, 'keep no call waiting (no answer)', '`silence` does nothing'],
    [{ redirect: idle }, 'takes no secret elsewhere', '`redirect` does nothing'],
    [{ cutOff: nothing }, 'nothing is valid, settled or known, and no call rejects', '`cutOff` does nothing'],
    [{ stranger: nothing }, 'is spent, and the look-up says that it paid', '`stranger` does nothing'],
    [{ stranger: nothing }, 'for another recipient has not paid us', '`stranger` does nothing'],
    [{ stranger: nothing }, 'are not called poor for what they have paid', '`stranger` does nothing'],
  ];

  it.each(cases)('is named, and the facilitator is not blamed: %#', async (hook, test, advice) => {
    const { runner, run } = recordingRunner(expect);
    facilitatorConformance(runner, { create: async () => ({ ...facilitatorWith(honest), ...hook }) });
    const { reports } = await run(test);
    expect(reports.size).toBe(1);
    const [report] = [...reports.values()];
    expect(report).toContain('The contract of the port Facilitator was not checked:');
    expect(report).toContain(advice);
  });
});

describe('a hook of a rate limit that does nothing', () => {
  const cases: [name: string, hook: Partial<RateLimitUnderTest>, test: string][] = [
    ['cutOff', { cutOff: idle }, 'answers at once when what it asks is silent'],
    ['cutOff', { cutOff: async (_form) => idle() }, 'answers at once when what it asks stops in the middle'],
    ['refuse', { refuse: idle }, 'answers when what it asks refuses connections'],
    ['failWith', { failWith: idle }, 'answers when what it asks answers HTTP 429'],
    ['redirect', { redirect: idle }, 'sends no secret to the address of a redirect'],
  ];

  it.each(cases)('is named, and the backend is not blamed: %s', async (name, hook, test) => {
    const { runner, run } = recordingRunner(expect);
    rateLimitConformance(runner, { create: async () => ({ ...rateLimitWith(() => ({})), ...hook }) });
    const { reports } = await run(test);
    const [report] = [...reports.values()];
    expect(report).toContain('The contract of the port RateLimitBackend was not checked:');
    expect(report).toContain(`\`${name}\` does nothing`);
  });
});

it('a `failAt` of a row store that breaks no write is named', async () => {
  const { runner, run } = recordingRunner(expect);
  const create = async () => ({ ...rowStoreWith({}), crash: false as const, failAt: async () => undefined });
  rowStoreConformance(runner, { create });
  const { reports } = await run('has all rows or none of a write of many rows that has failed');
  expect([...reports.values()][0]).toContain('or the hook breaks no write');
});

it('a `damage` of a row store that damages nothing is named', async () => {
  const { runner, run } = recordingRunner(expect);
  rowStoreConformance(runner, { create: async () => ({ ...rowStoreWith({}), damage: nothing }) });
  const { reports } = await run('returns all rows or rejects when they cannot be read');
  expect([...reports.values()][0]).toContain('`damage` does nothing');
});

describe('a `create` that fails', () => {
  it.each([
    ['rejects', async () => Promise.reject(new Error('connect ECONNREFUSED 127.0.0.1:5432'))],
    [
      'throws',
      () => {
        throw new Error('connect ECONNREFUSED 127.0.0.1:5432');
      },
    ],
  ])('is named in each report when it %s', async (_how, create) => {
    const { runner, run } = recordingRunner(expect);
    rateLimitConformance(runner, { create });
    const { reports, passed } = await run();
    expect(passed).toEqual([]);
    for (const report of reports.values())
      expect(report).toContain('`create` failed: "Error: connect ECONNREFUSED 127.0.0.1:5432"');
  });
});

describe('a call of a suite', () => {
  const { runner } = recordingRunner(expect);
  const create = async () => payoutWith(sound);
  it.each<[slip: string, target: object, message: string]>([
    [
      'with a misspelt option',
      { create, timeLimit: 5 },
      'payoutConformance: unknown option timeLimit; did you mean timeLimitMs?',
    ],
    [
      'with a misspelt `create`',
      { craete: create },
      'payoutConformance: unknown option craete; did you mean create?',
    ],
    ['without `create`', {}, 'payoutConformance: create is required: it must be a function'],
  ])('%s is refused at once', (_slip, target, message) => {
    expect(() => payoutConformance(runner, target as never)).toThrow(message);
  });

  it('has its own options', () => {
    const target = { create: async () => Promise.reject(new Error()), soonMs: 5, timeLimitMs: 5 };
    oracleConformance(recordingRunner(expect).runner, target);
    expect(() => rateLimitConformance(runner, target as never)).toThrow('unknown option soonMs');
  });

  it('of the storage suite is refused with a sentence that is not in the list', () => {
    const target = { create: async () => Promise.reject(new Error()), provenElsewhere: ['pagecost'] };
    expect(() => storageConformance(runner, target as never)).toThrow(
      "storageConformance: provenElsewhere must be a list of 'pageCost' and 'walkCost'",
    );
  });
});
