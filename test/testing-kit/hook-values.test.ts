/** Hooks whose value, or what they return, does not fit. Each report names the hook, and none blames the adapter. */
import { describe, expect, it } from '@jest/globals';
import {
  facilitatorConformance,
  oracleConformance,
  payoutConformance,
  rateLimitConformance,
  rowStoreConformance,
  type FacilitatorUnderTest,
  type OracleUnderTest,
  type PayoutUnderTest,
  type RateLimitUnderTest,
  type RowStoreUnderTest,
} from '../../testing';
import { recordingRunner, type Recording } from '../storage/broken/recording-runner';
import { payoutWith } from './liars/bank';
import { facilitatorWith, sound } from './liars/facilitator-world';
import { oracleWith } from './liars/oracles';
import { sound as soundPayout } from './liars/payouts';
import { rateLimitWith } from './liars/count-server';
import { sound as soundLimit } from './liars/rate-limits';
import { rowStoreWith } from './liars/row-stores';

const HOOKS = 'every hook has a name that the suite knows, and a value that fits';
const FIRST = 'every member of the port is there';

type Register = (runner: ReturnType<typeof recordingRunner>['runner'], wrong: object) => void;

const SUITES = {
  facilitator: (runner, wrong) =>
    facilitatorConformance(runner, {
      create: async () => ({ ...facilitatorWith(sound), ...wrong }) as FacilitatorUnderTest,
    }),
  oracle: (runner, wrong) =>
    oracleConformance(runner, {
      create: async () => ({ ...oracleWith(() => ({})), ...wrong }) as OracleUnderTest,
    }),
  payout: (runner, wrong) =>
    payoutConformance(runner, {
      create: async () => ({ ...payoutWith(soundPayout), ...wrong }) as PayoutUnderTest,
    }),
  'rate limit': (runner, wrong) =>
    rateLimitConformance(runner, {
      create: async () => ({ ...rateLimitWith(soundLimit), ...wrong }) as RateLimitUnderTest,
    }),
  'row store': (runner, wrong) =>
    rowStoreConformance(runner, {
      create: async () => ({ ...rowStoreWith({}), ...wrong }) as RowStoreUnderTest,
    }),
} satisfies Record<string, Register>;

function reportsOf(suite: keyof typeof SUITES, wrong: object, which?: string): Promise<Recording> {
  const { runner, run } = recordingRunner(expect);
  SUITES[suite](runner, wrong);
  return run(which);
}

describe('a hook with a wrong value', () => {
  it.each([
    ['payout', { fail: true }, '`fail` must be a function or `false`; came: true'],
    ['payout', { another: null }, '`another` must be a function or `false`; came: null'],
    [
      'facilitator',
      { times: ['spentat'] },
      "`times` must be a list of 'spentAt' and 'asOf' or `false`; came: [\"spentat\"]",
    ],
    ['facilitator', { looksUp: 'yes' }, '`looksUp` must be `true` or `false`; came: "yes"'],
    ['facilitator', { silence: true }, '`silence` must be a function or `false`; came: true'],
    ['oracle', { knownEarly: 'yes' }, '`knownEarly` must be `true` or `false`; came: "yes"'],
    ['oracle', { decidesBy: 'id' }, "`decidesBy` must be 'market' or 'text'; came: \"id\""],
    [
      'oracle',
      { confuse: [true] },
      '`confuse` must be a function or a list of functions or `false`; came: [true]',
    ],
    ['rate limit', { refuse: 1 }, '`refuse` must be a function or `false`; came: 1'],
    ['row store', { crash: true }, '`crash` must be a function or `false`; came: true'],
  ] as const)('is named by its check, and by the others: %s %j', async (suite, wrong, fault) => {
    const { passed, reports } = await reportsOf(suite, wrong);
    expect(passed).toEqual([FIRST]);
    expect(reports.get(HOOKS)).toContain(`: ${fault}\nRead: docs/`);
    reports.delete(HOOKS);
    for (const report of reports.values())
      expect(report).toContain(` was not checked: The hook ${fault}\nThe sentence: “`);
  });

  it('is not printed if it is a secret', async () => {
    const { reports } = await reportsOf('payout', { secrets: 'the-key-of-the-treasury' });
    expect(reports.size).toBeGreaterThan(20);
    for (const report of reports.values())
      expect(report.split('\n')[0]).toMatch(
        /`secrets` must be a list of texts or `false`; came: "the-… \(a secret of 23 characters\)"$/,
      );
  });
});

describe('a hook that returns a wrong value', () => {
  const nothing = async (): Promise<void> => undefined;
  const five = async (): Promise<number> => 5;
  const HELD = 'an object with the functions `arrived` and `release`';
  const END = 'a function that ends it';
  it.each([
    ['facilitator', 'hold', nothing, 'a submission that is pending', `${HELD}; came: undefined`],
    ['facilitator', 'failWith', nothing, 'HTTP errors', `${END}; came: undefined`],
    ['facilitator', 'received', five, 'in the form v2', 'a bigint; came: 5'],
    ['oracle', 'stall', nothing, 'ends by itself (no', `${END}, or \`false\`; came: undefined`],
    ['oracle', 'provisional', [nothing], 'that may still change', `${END}; came: undefined`],
    ['payout', 'treasury', five, 'for want of money', 'a bigint; came: 5'],
    ['payout', 'another', nothing, 'pays once, however often', 'an object; came: undefined'],
    ['rate limit', 'another', nothing, 'a window of requests: belongs', 'an object; came: undefined'],
    ['row store', 'silence', nothing, 'never answers', `${END}, or \`false\`; came: undefined`],
  ] as [keyof typeof SUITES, string, unknown, string, string][])(
    'is named: %s %s',
    async (suite, name, hook, check, fault) => {
      const { passed, reports } = await reportsOf(suite, { [name]: hook }, check);
      expect(passed).toEqual([]);
      expect([...reports.values()][0]).toContain(
        ` was not checked: the hook \`${name}\` must return ${fault}\n`,
      );
    },
  );
});
