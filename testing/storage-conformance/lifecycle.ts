import { dawdle, latch, type Suite } from './suite';
import { NOW } from './samples';

export function lifecycleTests(suite: Suite): void {
  suite.describe('the means to look', () => {
    suite.test('a second handle is given, or declared absent', 'kept', async ({ hooks, check }) => {
      check.given('another', hooks.another, 'opens a second handle on the same data');
    });

    suite.test('a look at the rows is given, or declared absent', 'exact', async ({ hooks, check }) => {
      check.given('inspect', hooks.inspect, 'reads the rows without the adapter');
    });
  });

  suite.describe('a storage', () => {
    suite.test('has a name and answers a ping', ['name', 'ping'], async ({ storage, check }) => {
      check.equal(typeof storage.name === 'string' && storage.name.length > 0, true, 'name');
      check.equal(await storage.ping(), undefined);
    });

    closingTests(suite);
    busyStorageTests(suite);
  });
}

function closingTests({ test }: Suite): void {
  test('waits for what is running when it is closed', 'closeWaits', async ({ storage, other, check }) => {
    const second = await other();
    const started = latch();
    const order: string[] = [];
    const running = storage.transaction(async (transaction) => {
      started.open();
      await transaction.accounts.apply([{ id: 'treasury', balance: 3n }], NOW);
      await dawdle(transaction);
      order.push('worked');
    });
    await started.opened;
    await Promise.all([running, storage.close().then(() => order.push('closed'))]);
    check.equal(order, ['worked', 'closed']);
    if (second === storage) return;
    check.equal(
      (await second.read((r) => r.accounts.find('treasury')))?.balance,
      3n,
      'seen by the other handle',
    );
  });

  test(
    'refuses with SERVICE_UNAVAILABLE once it is closed, and runs nothing',
    'closed',
    async ({ storage, check }) => {
      await storage.close();
      let runs = 0;
      const work = async (): Promise<void> => {
        runs += 1;
      };
      const code = 'SERVICE_UNAVAILABLE';
      await check.rejectsWithCode(storage.transaction(work), code, 'transaction');
      await check.rejectsWithCode(
        storage.read(async (r) => r.settings.get('x').then(work)),
        code,
        'read',
      );
      await check.rejectsWithCode(
        storage.snapshot(async (r) => r.settings.get('x').then(work)),
        code,
        'snapshot',
      );
      await check.rejectsWithCode(storage.ping(), code, 'ping');
      check.equal(runs, 0);
    },
  );

  test('goes on for others when one handle is closed', 'closeWaits', async ({ storage, other, check }) => {
    const second = await other();
    if (second !== storage) await second.close();
    check.equal(await storage.transaction((transaction) => transaction.settings.putIfAbsent('a', 'b')), 'b');
  });
}

function busyStorageTests({ test }: Suite): void {
  test('answers trades while other work has taken all that it can get', 'tradeLane', async (t) => {
    const { storage, check } = t;
    const freed = latch();
    const busy = Array.from({ length: 40 }, () =>
      storage.read(async (r) => {
        await r.settings.get('busy');
        await freed.opened;
      }),
    );
    const trading = storage.transaction((transaction) => transaction.settings.putIfAbsent('traded', 'yes'), {
      purpose: 'trades',
    });
    const answer = await trading.finally(freed.open);
    await Promise.all(busy);
    check.equal(answer, 'yes');
  });

  test('reads for one audit at a time, and for others meanwhile', 'auditLane', async (t) => {
    const { storage, check } = t;
    const [started, freed] = [latch(), latch()];
    const first = storage.snapshot(
      async (r) => {
        await r.settings.get('audited');
        started.open();
        await freed.opened;
        return 'audited';
      },
      { purpose: 'audit' },
    );
    await Promise.race([started.opened, first]);
    // An adapter that can open a second handle can give the audit a connection of its own. With another adapter, this
    // read may have to wait for the audit.
    if (t.hooks.another)
      check.equal(await storage.read((r) => r.settings.get('x')), null, 'read beside an audit');
    const second = storage
      .snapshot(async (r) => r.settings.get('x'), { purpose: 'audit' })
      .then(
        () => 'answered',
        (error: { code?: string }) => error.code,
      );
    freed.open();
    check.equal(await first, 'audited', 'the audit');
    check.oneOf(await second, ['answered', 'SERVICE_UNAVAILABLE'], 'a second audit');
  });
}
