/** Misspelt names in an adapter and in what `create()` returns. The first check names each, and the nearest right name. */
import { describe, expect, it } from '@jest/globals';
import {
  oracleConformance,
  payoutConformance,
  rowStoreConformance,
  type OracleUnderTest,
  type PayoutUnderTest,
  type RowStoreUnderTest,
} from '../../testing';
import { recordingRunner, type Recording } from '../storage/broken/recording-runner';
import { payoutWith } from './liars/bank';
import { oracleWith } from './liars/oracles';
import { rowStoreWith } from './liars/row-stores';

const FIRST = 'every member of the port is there';

function firstCheck(register: (runner: ReturnType<typeof recordingRunner>['runner']) => void) {
  const { runner, run } = recordingRunner(expect);
  register(runner);
  return run(FIRST);
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
    expect(reports.get(FIRST)).toContain(
      '- `create()` returned `provisonal`, which is no hook; did you mean `provisional`?',
    );
    const store = await firstCheck((runner) =>
      rowStoreConformance(runner, {
        create: async () => renamed(rowStoreWith({}), 'failAt', 'failsAt') as RowStoreUnderTest,
      }),
    );
    expect(store.reports.get(FIRST)).toContain('`failsAt`, which is no hook; did you mean `failAt`?');
    const oracle = await firstCheck((runner) =>
      oracleConformance(runner, {
        create: async () => ({ ...oracleWith(() => ({})), decideBy: 'text' }) as unknown as OracleUnderTest,
      }),
    );
    expect(oracle.reports.get(FIRST)).toContain('did you mean `decidesBy`?');
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
