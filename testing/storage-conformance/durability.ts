import type { Storage } from '../../src/ports/storage';
import type { Check } from '../conformance/check';
import { shown } from '../conformance/failure';
import { atOnce, type Suite, type TestContext } from './suite';
import {
  addMarket,
  ALICE,
  HOUR,
  MINUTE,
  NOW,
  sampleChallenge,
  sampleEvent,
  sampleTrade,
  walletOf,
} from './samples';
import { readEvents, relay } from './relay';
import { LEASE, stateOf, writeFirst } from './state';

const AGAIN = 'opens the same data again';
const NEEDS_KILL =
  'the suite has left the earlier handle unclosed. If that handle still has a lock, such as one with a process id, give the hook `kill`, which does what happens to the lock of a killed process';

type Test = TestContext & { check: Check };

export function durabilityTests({ describe, test }: Suite): void {
  describe('data that are opened again', () => {
    test('can be opened again, or are declared not durable', 'kept', async ({ hooks, check }) => {
      const again = hooks.reopen ?? (hooks.another === false ? undefined : hooks.another);
      if (hooks.durable === false) check.given('durable', false, AGAIN);
      else if (check.given('reopen', again, AGAIN, 'durable')) requireWitness(hooks, check);
    });

    for (const left of ['closed', 'left lying as by a crash'] as const) {
      const again = async ({ storage, hooks, reopen, check }: Test): Promise<Storage> => {
        if (left === 'closed') await storage.close();
        else await hooks.kill?.();
        if (left === 'closed' || hooks.kill !== undefined) return reopen();
        return reopen().catch((error: unknown) => check.fail(`${shown(error)}; ${NEEDS_KILL}`));
      };

      test(`hold one row of every kind when the handle was ${left}`, 'kept', async (t) => {
        if (isDeclaredVolatile(t)) return;
        const { storage, check } = t;
        const id = await storage.transaction(writeFirst);
        await relay(storage);
        const before = await stateOf(storage, id);
        const reopened = await again(t);
        check.equal(await stateOf(reopened, id), before, 'everything that can be read');
        await reopened.transaction(async (transaction) => {
          check.equal((await transaction.markets.lock([id])).length, 1, 'the market under lock');
          check.equal(
            await transaction.leases.acquire({ ...LEASE, owner: 'another' }),
            null,
            'a lease that is held',
          );
          const { nonce } = sampleChallenge('first');
          check.equal((await transaction.challenges.consume(nonce))?.nonce, nonce, 'a challenge');
        });
      });

      test(`hold the last of many commits when the handle was ${left}`, 'kept', async (t) => {
        if (isDeclaredVolatile(t)) return;
        const { storage, check } = t;
        const wallet = walletOf(ALICE);
        for (let round = 1n; round <= 5n; round += 1n) {
          await storage.transaction(async (transaction) => {
            await transaction.accounts.apply([{ id: wallet, balance: round }], NOW);
            await transaction.settings.putIfAbsent(`round ${round}`, 'written');
          });
        }
        await atOnce(4, [storage], (handle, index) =>
          handle.transaction((transaction) =>
            transaction.settings.putIfAbsent(`at once ${index}`, 'written'),
          ),
        );
        const reopened = await again(t);
        check.equal((await reopened.read((r) => r.accounts.find(wallet)))?.balance, 15n, 'balance');
        const names = ['round 1', 'round 5', 'at once 0', 'at once 3'];
        const found = await reopened.read((r) => Promise.all(names.map((name) => r.settings.get(name))));
        check.equal(
          found,
          names.map(() => 'written'),
          'settings',
        );
      });
    }

    test('give no number twice: ids, events, lease tokens', 'kept', async (t) => {
      if (isDeclaredVolatile(t)) return;
      const { storage, check } = t;
      const before = await numbers(storage, 'a');
      await storage.close();
      const again = await t.reopen();
      const after = await numbers(again, 'b');
      for (const [name, number] of Object.entries(before))
        check.equal((after[name] ?? 0) > number, true, `${name}: ${number} before, ${after[name]} after`);
      const found = (await readEvents(again)).map(({ seq }) => seq);
      check.equal(new Set(found).size, 2, `events after the reopening, numbered ${found.join(', ')}`);
    });

    test('take what a later handle writes', ['kept', 'open'], async (t) => {
      if (isDeclaredVolatile(t)) return;
      const write = (handle: Storage) =>
        handle.transaction((transaction) =>
          transaction.accounts.apply([{ id: 'treasury', balance: 1n }], NOW),
        );
      await write(t.storage);
      await t.storage.close();
      const second = await t.reopen();
      await write(second);
      await second.close();
      const third = await t.reopen();
      t.check.equal((await third.read((r) => r.accounts.find('treasury')))?.balance, 2n, 'two additions');
    });
  });
}

/**
 * Without any of these hooks, a storage that keeps its data in a map of this process would pass as durable.
 */
function requireWitness({ another, inspect, cutOff, loseCommit }: TestContext['hooks'], check: Check): void {
  if ([another, inspect, cutOff, loseCommit].some((hook) => hook !== false)) return;
  check.notChecked(
    '`another`, `inspect`, `cutOff` and `loseCommit` are all `false`, so only the adapter itself has confirmed that its data are kept. Give one of them, or declare `durable: false`.',
  );
}

function isDeclaredVolatile({ hooks, check }: TestContext & { check: Check }): boolean {
  if (hooks.durable !== false && (hooks.reopen !== undefined || hooks.another)) return false;
  return !check.given('durable', false, AGAIN);
}

/** Takes a new id of a market and of a trade, the token of a lease, and the number of a fact. */
async function numbers(storage: Storage, owner: string): Promise<Record<string, number>> {
  const { id: market } = await addMarket(storage);
  const written = await storage.transaction(async (transaction) => {
    await transaction.events.append([sampleEvent()]);
    const [trade] = await transaction.trades.insert([sampleTrade(market)]);
    const now = owner === 'a' ? NOW : NOW + 2 * HOUR;
    const lease = await transaction.leases.acquire({ name: 'job', owner, now, until: now + MINUTE });
    return { market, trade: trade ?? 0, lease: lease?.token ?? 0 };
  });
  await relay(storage, owner);
  return { ...written, event: await storage.read((r) => r.events.head()) };
}
