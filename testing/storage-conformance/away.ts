import type { Storage } from '../../src/ports/storage';
import { latch, type Suite } from './suite';
import { NOW } from './samples';
import { PROVEN_ELSEWHERE, STORAGE_CONTRACT } from './contract';
import type { ProvenElsewhere } from './types';
import { ContractNotChecked } from '../conformance/failure';

const LONGEST_WAIT_MS = 5_000;

export function awayTests({ describe, test }: Suite): void {
  const what = 'makes the services that the storage depends on unreachable';
  describe('a storage that is away', () => {
    test('rejects every call in time', 'away', async ({ storage, hooks, check }) => {
      if (!check.given('cutOff', hooks.cutOff, what)) return;
      await storage.transaction((transaction) =>
        transaction.accounts.apply([{ id: 'treasury', balance: 1n }], NOW),
      );
      await hooks.cutOff();
      const calls: Record<string, (handle: Storage) => Promise<unknown>> = {
        ping: (handle) => handle.ping(),
        read: (handle) => handle.read((r) => r.settings.get('x')),
        snapshot: (handle) => handle.snapshot((r) => r.settings.get('x')),
        transaction: (handle) =>
          handle.transaction((transaction) => transaction.settings.putIfAbsent('x', 'y')),
      };
      for (const [name, call] of Object.entries(calls)) {
        const start = performance.now();
        await check.rejectsWithCode(call(storage), 'SERVICE_UNAVAILABLE', name);
        const waited = performance.now() - start;
        if (waited > LONGEST_WAIT_MS) check.fail(`${name} rejected after ${Math.round(waited)} ms`);
      }
    });

    test(
      'rejects a transaction that was running when it went away',
      'away',
      async ({ storage, hooks, check }) => {
        const cutOff = hooks.cutOff ?? false;
        if (!check.given('cutOff', cutOff, what)) return;
        const cut = latch();
        const running = storage.transaction(async (transaction) => {
          await transaction.accounts.apply([{ id: 'treasury', balance: 1n }], NOW);
          await cutOff();
          cut.open();
          await transaction.accounts.apply([{ id: 'treasury', balance: 1n }], NOW);
        });
        await check.rejectsWithCode(running, 'SERVICE_UNAVAILABLE', 'transaction');
      },
    );

    test('tells of a commit whose answer is lost, and has all of it or none', 'unknownCommit', async (t) => {
      const { storage, hooks, check } = t;
      const losing = 'loses the answer to the next commit';
      if (!check.given('loseCommit', hooks.loseCommit, losing)) return;
      await hooks.loseCommit();
      let runs = 0;
      const lost = storage.transaction(async (transaction) => {
        runs += 1;
        await transaction.accounts.apply([{ id: 'treasury', balance: 1n }], NOW);
        await transaction.settings.putIfAbsent('half', 'written');
      });
      await check.rejectsWithCode(lost, 'SERVICE_UNAVAILABLE', 'transaction');
      check.equal(runs, 1, 'runs of a work that may have been committed');
      const [balance, half] = await storage.read(async (r) => [
        (await r.accounts.find('treasury'))?.balance ?? null,
        await r.settings.get('half'),
      ]);
      check.by('atomic').oneOf(
        [balance, half],
        [
          [1n, 'written'],
          [null, null],
        ],
        'what is there',
      );
    });
  });
}

/**
 * Reports the sentences that the suite cannot check. A sentence is reported by name until the author says that
 * the adapter's own tests check it.
 */
export function elsewhereTests(
  { describe, test }: Suite,
  provenElsewhere: readonly ProvenElsewhere[] = [],
): void {
  describe('what tests of your own hold', () => {
    for (const sentence of PROVEN_ELSEWHERE) {
      test(`${sentence} is named in provenElsewhere`, sentence, async () => {
        if (provenElsewhere.includes(sentence)) return;
        const advice = `No suite can check this from outside. Check it in a test of your own, and name \`${sentence}\` in \`provenElsewhere\`.`;
        throw new ContractNotChecked(STORAGE_CONTRACT, STORAGE_CONTRACT.sentences[sentence], advice);
      });
    }
  });
}
