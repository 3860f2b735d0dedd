/** Hooks with a wrong value. The report names the hook and its value, and does not blame the adapter. */
import { describe, expect, it } from '@jest/globals';
import { memoryStorage, type RowStore } from '../../adapters/storage/memory';
import { silentLogger } from '../../src/ports/logger';
import {
  facilitatorConformance,
  inspectRows,
  payoutConformance,
  rowStoreConformance,
  storageConformance,
  type PayoutUnderTest,
  type RowStoreUnderTest,
} from '../../testing';
import { REQUIREMENTS } from '../facilitator/support/requirements';
import { onPlayMoney, playMoney } from '../facilitator/support/target';
import { recordingRunner } from '../storage/broken/recording-runner';
import { payoutWith } from './liars/bank';
import { sound } from './liars/payouts';
import { rowStoreWith } from './liars/row-stores';

const GOOD = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const BAD = '0x5aaeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const CHECKSUM = `has a wrong EIP-55 checksum. Write it in lower case, or as ${GOOD}; came: "${BAD}"`;
const NO_ADDRESS = 'must be an address, 0x and 40 hexadecimal digits; came:';

async function reportsOf(requirements: object): Promise<Set<string>> {
  const { runner, run } = recordingRunner(expect);
  facilitatorConformance(runner, {
    create: async () => {
      const play = playMoney();
      const made = onPlayMoney(play, {
        ...{ facilitator: play, looksUp: true, destroy: async () => undefined },
        ...{ times: false, secrets: false, another: false, loseAnswer: false, hold: false, garble: false },
        ...{ silence: false, failWith: false, redirect: false, cutOff: false },
      });
      return { ...made, requirements: requirements as typeof REQUIREMENTS };
    },
  });
  const { passed, reports } = await run();
  expect(passed).toEqual([]);
  for (const report of reports.values())
    expect(report).toMatch(/^The contract of the port Facilitator was not checked: .+\nThe sentence: “/);
  return new Set([...reports.values()].map((report) => report.split('\n')[0]?.split('checked: ')[1] ?? ''));
}

describe('the hook `requirements`', () => {
  it.each([
    ['payTo with a wrong checksum', { payTo: BAD }, `\`payTo\` ${CHECKSUM}`],
    ['asset with a wrong checksum', { asset: BAD }, `\`asset\` ${CHECKSUM}`],
    ['payTo that is a name', { payTo: 'treasury' }, `\`payTo\` ${NO_ADDRESS} "treasury"`],
    ['asset that is missing', { asset: undefined }, `\`asset\` ${NO_ADDRESS} undefined`],
  ])('is named by every check: %s', async (_what, change, fault) => {
    const reports = await reportsOf({ ...REQUIREMENTS, ...change });
    expect([...reports]).toEqual([`The hook \`requirements\` is wrong: ${fault}`]);
  });
});

describe('a hook that throws', () => {
  const broken = (): never => {
    throw Object.assign(new Error('connect failed'), { code: 'ECONNREFUSED' });
  };
  const rejecting = async (): Promise<never> => broken();
  const endBroken = async () => rejecting;
  const cases: [hook: Partial<PayoutUnderTest>, test: string, name: string][] = [
    [{ received: rejecting }, 'is paid once', 'the hook `received`'],
    [{ order: broken }, 'is paid once', 'the hook `order`'],
    [{ another: rejecting }, 'is found, and paid once', 'the hook `another`'],
    [{ failWith: rejecting }, 'answers with an HTTP error', 'the hook `failWith`'],
    [{ failWith: endBroken }, 'answers with an HTTP error', 'the function that the hook `failWith` returned'],
    [{ destroy: rejecting }, 'is found, and paid once', 'the hook `destroy`'],
  ];

  it.each(cases)('is named, and the adapter is not blamed: %#', async (hook, test, name) => {
    const { runner, run } = recordingRunner(expect);
    payoutConformance(runner, { create: async () => ({ ...payoutWith(sound), ...hook }) });
    const { passed, reports } = await run(test);
    expect(passed).toEqual([]);
    const [report] = [...reports.values()];
    expect(report).toContain(
      `The contract of the port Payout was not checked: ${name} threw: "Error: connect failed" ("ECONNREFUSED")\n`,
    );
  });

  it('is named, also if it is a function of `inspect`', async () => {
    const { runner, run } = recordingRunner(expect);
    storageConformance(runner, {
      create: async () => {
        const storage = memoryStorage();
        await storage.open({ logger: silentLogger });
        const hooks = {
          another: false,
          cutOff: false,
          loseCommit: false,
          destroy: () => storage.close(),
        } as const;
        return { storage, inspect: inspectRows(rejecting), ...hooks };
      },
    });
    const { reports } = await run('write nothing at all when a write is rejected');
    expect([...reports.values()][0]).toMatch(
      /^The contract of the port Storage was not checked: the hook `inspect\.\w+` threw: "Error: connect failed"/,
    );
  });

  it('is blamed for no error of the adapter', async () => {
    const { runner, run } = recordingRunner(expect);
    const made = rowStoreWith({ cannotStore: /only/ });
    const crash: RowStoreUnderTest['crash'] = async (_store, rows) => made.store.write(rows);
    rowStoreConformance(runner, {
      create: async () => ({ ...rowStoreWith({ cannotStore: /only/ }), crash }),
    });
    const { reports } = await run('has all rows or none of a write that a crash has cut off');
    expect([...reports.values()][0]).toMatch(/^RowStore: an unexpected rejection of `write`/);
  });
});

describe('a hook that gets a store', () => {
  it.each(['kill', 'crash'] as const)('gets the one that the test has made: `%s`', async (name) => {
    const strangers: RowStore[] = [];
    const { runner, run } = recordingRunner(expect);
    rowStoreConformance(runner, {
      create: async () => {
        const made = rowStoreWith({ locks: true });
        const own = new Set([made.store]);
        const another = async () => {
          const store = await made.another();
          own.add(store);
          return store;
        };
        const hook = made[name] as (store: RowStore, ...more: unknown[]) => Promise<void>;
        const looked = async (store: RowStore, ...more: unknown[]) => {
          if (!own.has(store)) strangers.push(store);
          await hook(store, ...more);
        };
        return { ...made, another, [name]: looked };
      },
    });
    const { failed } = await run();
    expect({ failed, strangers: strangers.length }).toEqual({ failed: [], strangers: 0 });
  });
});
