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
    faults: (made) => faultsOfTarget(made, 'store', MEMBERS, TARGET),
    hooks: HOOKS,
    open(made, watch) {
      const { crash, kill } = made;
      const opened = [made.store];
      const { observed, original } = observing(watch);
      return {
        context: {
          store: observed(made.store),
          // Hooks get the store that the test has made, so that the test can find what belongs to it.
          crash: crash && ((store, rows, share) => crash(original(store), rows, share)),
          kill: kill && ((store) => kill(original(store))),
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
            return observed(store);
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

/** Stores whose calls are observed, and the way back from each of them to the store itself. */
function observing(watch: Watch) {
  const originals = new Map<RowStore, RowStore>();
  return {
    original: (observed: RowStore): RowStore => originals.get(observed) ?? observed,
    observed(store: RowStore): RowStore {
      const observed = watched(store, watch);
      originals.set(observed, store);
      return observed;
    },
  };
}

function watched(store: RowStore, watch: Watch): RowStore {
  return {
    load: () => watch.call('load', () => store.load()),
    write: (rows) => watch.call('write', () => store.write(rows)),
    close: () => watch.call('close', () => store.close()),
  };
}
