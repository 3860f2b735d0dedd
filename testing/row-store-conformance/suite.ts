import type { RowStore } from 'express-prediction-market/storage/memory';
import { createKit, type Kit } from '../conformance/kit';
import { faultsOfTarget, type Members } from '../conformance/members';
import type { ConformanceRunner } from '../conformance/runner';
import type { Watch } from '../conformance/watch';
import { ROW_STORE_CONTRACT, type RowStoreSentence } from './contract';
import { HOOKS } from './hook-names';
import type { RowStoreConformanceTarget, RowStoreUnderTest } from './types';

export interface RowStoreContext {
  store: RowStore;
  /** The store of a later process. The suite closes it after the test. */
  another(): Promise<RowStore>;
  crash: RowStoreUnderTest['crash'];
  kill: RowStoreUnderTest['kill'];
  failAt: RowStoreUnderTest['failAt'];
  cutOff: RowStoreUnderTest['cutOff'];
  damage: RowStoreUnderTest['damage'];
  unbreakable: RowStoreUnderTest['unbreakable'];
  failWith: RowStoreUnderTest['failWith'];
  redirect: RowStoreUnderTest['redirect'];
  garble: RowStoreUnderTest['garble'];
  silence: RowStoreUnderTest['silence'];
}

export type RowStoreSuite = Kit<RowStoreContext, RowStoreSentence>;

const MEMBERS: Members<RowStore> = {
  load: 'a method',
  write: 'a method',
  close: 'a method',
};

/** What the suite needs besides the adapter and its hooks. */
const TARGET = { another: 'a method' } as const;

export function createRowStoreSuite(
  runner: ConformanceRunner,
  target: RowStoreConformanceTarget,
): RowStoreSuite {
  return createKit<RowStoreUnderTest, RowStoreContext, RowStoreSentence>(runner, {
    ...target,
    contract: ROW_STORE_CONTRACT,
    endless: 'ends',
    create: () => target.create(),
    faults: (made) => faultsOfTarget(made, 'store', MEMBERS, TARGET, HOOKS),
    open(made, watch) {
      const opened = [made.store];
      return {
        context: {
          store: watched(made.store, watch),
          crash: made.crash,
          kill: made.kill,
          failAt: made.failAt,
          cutOff: made.cutOff,
          damage: made.damage,
          unbreakable: made.unbreakable,
          failWith: made.failWith,
          redirect: made.redirect,
          garble: made.garble,
          silence: made.silence,
          async another() {
            const store = await made.another();
            opened.push(store);
            return watched(store, watch);
          },
        },
        async end() {
          // A store that was refused, or has lost its rows to a later one, may reject.
          for (const store of opened) await store.close().catch(() => undefined);
          await made.destroy();
        },
      };
    },
  });
}

function watched(store: RowStore, watch: Watch): RowStore {
  return {
    load: () => watch.call('load', () => store.load()),
    write: (rows) => watch.call('write', () => store.write(rows)),
    close: () => watch.call('close', () => store.close()),
  };
}
