/** Run by Node's own test runner: all suites, on adapters that need no service; or one suite, on an adapter with a fault. */
import { describe, it } from 'node:test';
import { payoutConformance } from '../../../testing';
import { expectByAssert, honestAdapters } from '../honest-adapters';
import { payoutWith } from '../liars/bank';

const runner = {
  describe,
  it: (name: string, body: () => Promise<void>) => it(name, body),
  expect: expectByAssert,
};

// An adapter with a fault, so that the runner's report of it can be checked.
if (process.env.PLANT_A_FAULT === 'yes')
  payoutConformance(runner, { create: async () => payoutWith(() => ({ name: '' })) });
else honestAdapters(runner);
