import type { Reader, Storage, Transaction } from '../../ports/storage';
import { createCheck, type Check } from './check';
import type { ConformanceRunner, ConformanceTarget, StorageInspection } from './types';

/** What a test is given: a fresh storage of its own. */
export interface TestContext {
  storage: Storage;
  /** A second handle on the same data; the first one again where there can be only one. */
  other: () => Promise<Storage>;
  inspect: StorageInspection | null;
  check: Check;
}

export interface Suite {
  describe: (name: string, body: () => void) => void;
  test: (name: string, body: (context: TestContext) => Promise<void>) => void;
}

export function createSuite(runner: ConformanceRunner, target: ConformanceTarget): Suite {
  const check = createCheck((actual) => runner.expect(actual));
  return {
    describe(name, body) {
      runner.describe(name, body);
    },
    test(name, body) {
      runner.it(name, async () => {
        const sut = await target.create();
        const second: { handle: Promise<Storage> | null } = { handle: null };
        const other = (): Promise<Storage> => {
          second.handle ??= sut.another === undefined ? Promise.resolve(sut.storage) : sut.another();
          return second.handle;
        };
        try {
          await body({ storage: sut.storage, other, inspect: sut.inspect ?? null, check });
        } finally {
          const opened = await second.handle;
          if (opened !== null && opened !== sut.storage) await opened.close();
          await sut.destroy();
        }
      });
    },
  };
}

/** Stands for the failure of a caller's own code inside a transaction. */
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
 * Statements enough for anybody who is not made to wait to come through meanwhile. Time passes by the
 * adapter's own work, not by the clock, so that slow machines change nothing.
 */
export async function dawdle(reader: Reader): Promise<void> {
  for (let lap = 0; lap < 40; lap += 1) await reader.settings.get('nothing');
}

/** Something to wait for, opened by somebody else. */
export function latch(): { opened: Promise<void>; open: () => void } {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

/** `count` calls at once, alternately on the two handles; their results in order. */
export function atOnce<T>(
  count: number,
  handles: readonly Storage[],
  call: (storage: Storage, index: number) => Promise<T>,
): Promise<T[]> {
  return Promise.all(
    Array.from({ length: count }, (_, index) => call(handles[index % handles.length] as Storage, index)),
  );
}
