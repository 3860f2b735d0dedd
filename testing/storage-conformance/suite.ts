import type { Reader, Storage, Transaction } from '../../src/ports/storage';
import { createKit, type Kit } from '../conformance/kit';
import type { ConformanceRunner } from '../conformance/runner';
import { createHandles, type Handles } from './handles';
import { STORAGE_CONTRACT, type StorageSentence } from './contract';
import { HOOKS } from './hook-names';
import { repositoryFaults, storageFaults } from './members';
import type { ConformanceTarget, StorageInspection, StorageUnderTest } from './types';

/** The context of a test: a new storage of its own. */
export interface TestContext extends Handles {
  inspect: StorageInspection | null;
  /** The hooks that the adapter's author has provided or declared absent. */
  hooks: Omit<StorageUnderTest, 'storage' | 'destroy'>;
}

export type Suite = Kit<TestContext, StorageSentence>;

export function createSuite(runner: ConformanceRunner, target: ConformanceTarget): Suite {
  return createKit<StorageUnderTest, TestContext, StorageSentence>(runner, {
    ...target,
    contract: STORAGE_CONTRACT,
    create: () => target.create(),
    faults: storageFaults,
    hooks: HOOKS,
    opens: ['reopen', 'another'],
    groups: ['inspect'],
    innerFaults: (made: StorageUnderTest | undefined) => repositoryFaults(made?.storage),
    open(made, watch) {
      const { handles, closeAll } = createHandles(made, watch);
      return {
        context: { ...handles, inspect: made.inspect === false ? null : (made.inspect ?? null), hooks: made },
        async end() {
          await closeAll();
          await made.destroy();
        },
      };
    },
  });
}

/** An error in a caller's own code inside a transaction. */
export class PlantedError extends Error {
  override readonly name = 'PlantedError';
}

/** Runs `write` in a transaction and rolls it back. */
export async function rolledBack(
  storage: Storage,
  write: (transaction: Transaction) => Promise<unknown>,
): Promise<void> {
  const planted = new PlantedError('rolled back on purpose');
  try {
    await storage.transaction(async (transaction) => {
      await write(transaction);
      throw planted;
    });
  } catch (error) {
    if (error !== planted) throw error;
  }
}

/**
 * Runs so many statements that another call can end meanwhile, if that call does not have to wait. The pause is
 * longer on a slower machine or adapter.
 */
export async function dawdle(reader: Reader): Promise<void> {
  for (let lap = 0; lap < 40; lap += 1) await reader.settings.get('nothing');
}

/** A promise that resolves when the test calls `open`. */
export function latch(): { opened: Promise<void>; open: () => void } {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

/** Calls `next` until it resolves with `false`. Throws after more calls than any test needs. */
export async function untilNone(next: () => Promise<boolean>): Promise<void> {
  for (let piece = 0; piece < MOST_PIECES; piece += 1) if (!(await next())) return;
  throw new Error(`a list has not ended after ${MOST_PIECES} calls, although the test has written less`);
}

const MOST_PIECES = 1_000;

/** Makes `count` calls at the same time, alternating between the handles. Returns their results in order. */
export function atOnce<T>(
  count: number,
  handles: readonly Storage[],
  call: (storage: Storage, index: number) => Promise<T>,
): Promise<T[]> {
  return Promise.all(
    Array.from({ length: count }, (_, index) => call(handles[index % handles.length] as Storage, index)),
  );
}
