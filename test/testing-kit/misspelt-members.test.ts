/** Misspelt names in an adapter and in what `create()` returns. The first checks name each, and the nearest right name. */
import { describe, expect, it } from '@jest/globals';
import {
  facilitatorConformance,
  oracleConformance,
  payoutConformance,
  rowStoreConformance,
  type FacilitatorUnderTest,
  type OracleUnderTest,
  type PayoutUnderTest,
  type RowStoreUnderTest,
} from '../../testing';
import { recordingRunner, type Recording } from '../storage/broken/recording-runner';
import { payoutWith } from './liars/bank';
import { facilitatorWith, sound } from './liars/facilitator-world';
import { oracleWith } from './liars/oracles';
import { rowStoreWith } from './liars/row-stores';

const FIRST = 'every member of the port is there';
const HOOKS = 'every hook has a name that the suite knows, and a value that fits';

function firstCheck(register: (runner: ReturnType<typeof recordingRunner>['runner']) => void) {
  const { runner, run } = recordingRunner(expect);
  register(runner);
  return run((name) => [FIRST, HOOKS].includes(name));
}

const ofPayout = (made: object): Promise<Recording> =>
  firstCheck((runner) => payoutConformance(runner, { create: async () => made as PayoutUnderTest }));

const renamed = (made: object, name: string, other: string): object =>
  Object.fromEntries(Object.entries(made).map(([key, value]) => [key === name ? other : key, value]));

const honest = (): PayoutUnderTest => payoutWith(() => ({}));

describe('a misspelt name', () => {
  it('of a method is named beside the method that is missing', async () => {
    const payout = renamed(honest().payout, 'submit', 'subimt');
    const { reports } = await ofPayout({ ...honest(), payout });
    expect(reports.get(FIRST)).toContain(
      '- `payout.submit` must be a method; came: undefined. It has `subimt`: is that `submit`?',
    );
  });

  it('of a hook is named with the hook, also if the hook may be left out', async () => {
    const { reports } = await ofPayout(renamed(honest(), 'provisional', 'provisonal'));
    expect(reports.get(HOOKS)).toMatch(
      /^Payout: `create\(\)` returned `provisonal`, which is no hook; did you mean `provisional`\?\nRead: docs/,
    );
    expect(reports.size).toBe(1);
    const store = await firstCheck((runner) =>
      rowStoreConformance(runner, {
        create: async () => renamed(rowStoreWith({}), 'failAt', 'failsAt') as RowStoreUnderTest,
      }),
    );
    expect(store.reports.get(HOOKS)).toContain('`failsAt`, which is no hook; did you mean `failAt`?');
    const oracle = await firstCheck((runner) =>
      oracleConformance(runner, {
        create: async () => ({ ...oracleWith(() => ({})), decideBy: 'text' }) as unknown as OracleUnderTest,
      }),
    );
    expect(oracle.reports.get(HOOKS)).toContain('did you mean `decidesBy`?');
  });

  it('of a hook fails its own check and those that need the hook, and they name it', async () => {
    const { runner, run } = recordingRunner(expect);
    const create = async () => renamed(honest(), 'provisional', 'provisonal') as PayoutUnderTest;
    payoutConformance(runner, { create });
    const { passed, reports } = await run();
    expect(passed.length).toBeGreaterThan(20);
    for (const report of reports.values())
      expect(report.split('\n')[0]).toMatch(
        /`create\(\)` returned `provisonal`, .+ did you mean `provisional`\?$/,
      );
  });

  it('of a wallet of a facilitator is named by each check', async () => {
    const { runner, run } = recordingRunner(expect);
    facilitatorConformance(runner, {
      create: async () => renamed(facilitatorWith(sound), 'payer', 'payr') as FacilitatorUnderTest,
    });
    const { passed, reports } = await run();
    expect(passed).toEqual([]);
    for (const report of reports.values())
      expect(report).toContain(
        '`create().payer` must be a value; came: undefined. It has `payr`: is that `payer`?',
      );
  });

  it('is not seen in members of another name, and not in a class', async () => {
    const helpers = { helper: () => 1, bank: {}, url: 'http://127.0.0.1' };
    expect((await ofPayout({ ...honest(), ...helpers })).failed).toEqual([]);
    class World {
      provisonal = 1;
      provisional = undefined;
    }
    const { failed } = await ofPayout(Object.assign(new World(), { ...honest(), provisional: undefined }));
    expect(failed).toEqual([]);
    class Bank {
      readonly name = 'bank';
      subimt = 1;
      private readonly inner = honest().payout;
      prepare = this.inner.prepare.bind(this.inner);
      submit = this.inner.submit.bind(this.inner);
      check = this.inner.check.bind(this.inner);
    }
    expect((await ofPayout({ ...honest(), payout: new Bank() })).failed).toEqual([]);
  });
});
