/** Run by Node's own test runner: all suites, on adapters that need no service; or one suite, on an adapter with a fault. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { memoryStorage } from '../../../adapters/storage/memory';
import { silentLogger } from '../../../src/ports/logger';
import { memoryRateLimit } from '../../../src/rate-limit/memory';
import {
  facilitatorConformance,
  oracleConformance,
  payoutConformance,
  rateLimitConformance,
  storageConformance,
} from '../../../testing';
import { onPlayMoney, playMoney } from '../../facilitator/support/target';
import { payoutWith } from '../liars/bank';
import { oracleWith } from '../liars/oracles';

const expect = (actual: unknown) => ({
  toEqual: (expected: unknown) => assert.deepStrictEqual(actual, expected),
});
const runner = { describe, it: (name: string, body: () => Promise<void>) => it(name, body), expect };
const destroy = async (): Promise<void> => undefined;

function honestAdapters(): void {
  rateLimitConformance(runner, {
    create: async () => ({ backend: memoryRateLimit(), another: false, cutOff: false, destroy }),
  });

  payoutConformance(runner, { create: async () => payoutWith(() => ({})) });

  oracleConformance(runner, { create: async () => oracleWith(() => ({})) });

  facilitatorConformance(runner, {
    async create() {
      const facilitator = playMoney();
      const absent = { another: false, loseAnswer: false, cutOff: false } as const;
      return onPlayMoney(facilitator, { facilitator, looksUp: true, ...absent, destroy });
    },
  });

  storageConformance(runner, {
    async create() {
      const storage = memoryStorage();
      await storage.open({ logger: silentLogger });
      const absent = {
        another: false,
        inspect: false,
        cutOff: false,
        loseCommit: false,
        durable: false,
      } as const;
      return { storage, ...absent, destroy: () => storage.close() };
    },
    provenElsewhere: ['pageCost', 'walkCost'],
  });
}

// An adapter with a fault, so that the runner's report of it can be checked.
if (process.env.PLANT_A_FAULT === 'yes')
  payoutConformance(runner, { create: async () => payoutWith(() => ({ name: '' })) });
else honestAdapters();
