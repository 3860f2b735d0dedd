/** For Node's own test runner: the suites on correct adapters, or the payout suite on an adapter with a fault. */
import { describe, it } from 'node:test';
import { payoutConformance } from '../../../testing';
import { expectByAssert, honestAdapters } from '../honest-adapters';
import { payoutWith } from '../liars/bank';

const runner = {
  describe,
  it: (name: string, body: () => Promise<void>) => it(name, body),
  expect: expectByAssert,
};

if (process.env.PLANT_A_FAULT === 'yes')
  payoutConformance(runner, { create: async () => payoutWith(() => ({ name: '' })) });
else honestAdapters(runner);
