/**
 * The suites of all ports but `RowStore`, on correct adapters that need no service. `node:test` and Vitest run
 * them.
 */
import assert from 'node:assert/strict';
import { memoryStorage } from '../../adapters/storage/memory';
import { silentLogger } from '../../src/ports/logger';
import { memoryRateLimit } from '../../src/rate-limit/memory';
import {
  facilitatorConformance,
  oracleConformance,
  payoutConformance,
  rateLimitConformance,
  storageConformance,
  type ConformanceRunner,
} from '../../testing';
import { onPlayMoney, playMoney } from '../facilitator/support/target';
import { payoutWith } from './liars/bank';
import { oracleWith } from './liars/oracles';

const destroy = async (): Promise<void> => undefined;

export const expectByAssert: ConformanceRunner['expect'] = (actual) => ({
  toEqual: (expected: unknown) => assert.deepStrictEqual(actual, expected),
});

export function honestAdapters(runner: ConformanceRunner): void {
  rateLimitConformance(runner, {
    create: async () => ({
      backend: memoryRateLimit(),
      another: false,
      cutOff: false,
      refuse: false,
      failWith: false,
      garble: false,
      redirect: false,
      secrets: false,
      destroy,
    }),
  });

  payoutConformance(runner, { create: async () => payoutWith(() => ({})) });

  oracleConformance(runner, { create: async () => oracleWith(() => ({})) });

  facilitatorConformance(runner, {
    async create() {
      const facilitator = playMoney();
      const absent = {
        another: false,
        loseAnswer: false,
        hold: false,
        garble: false,
        silence: false,
        failWith: false,
        redirect: false,
        cutOff: false,
      } as const;
      const times = ['spentAt'] as const;
      return onPlayMoney(facilitator, {
        ...{ facilitator, looksUp: true, times, secrets: false, destroy },
        ...absent,
      });
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
