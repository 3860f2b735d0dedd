/** Hooks that do nothing, and a `create` that fails. The suites say so, and do not blame the adapter. */
import { describe, expect, it } from '@jest/globals';
import {
  payoutConformance,
  rateLimitConformance,
  rowStoreConformance,
  type PayoutUnderTest,
  type RateLimitUnderTest,
} from '../../testing';
import { recordingRunner } from '../storage/broken/recording-runner';
import { payoutWith } from './liars/bank';
import { rateLimitWith } from './liars/count-server';
import { sound } from './liars/payouts';
import { rowStoreWith } from './liars/row-stores';

const idle = async (): Promise<() => Promise<void>> => async () => undefined;

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
    payoutConformance(runner, { create: async () => ({ ...payoutWith(sound), ...hook }) });
    const { reports } = await run(test);
    const [report] = [...reports.values()];
    expect(report).toContain('The contract of the port Payout was not checked:');
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
