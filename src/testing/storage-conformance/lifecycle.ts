import { dawdle, latch, type Suite } from './suite';
import { NOW } from './samples';

export function lifecycleTests({ describe, test }: Suite): void {
  describe('a storage', () => {
    test('has a name and answers a ping', async ({ storage, check }) => {
      check.equal(typeof storage.name === 'string' && storage.name.length > 0, true, 'name');
      check.equal(await storage.ping(), undefined);
    });

    test('waits for what is running when it is closed', async ({ storage, other, check }) => {
      const second = await other();
      const started = latch();
      const order: string[] = [];
      const running = storage.transaction(async (tx) => {
        started.open();
        await tx.accounts.apply([{ id: 'treasury', balance: 3n }], NOW);
        await dawdle(tx);
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

    test('refuses with SERVICE_UNAVAILABLE once it is closed, and runs nothing', async ({
      storage,
      check,
    }) => {
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
    });

    test('goes on for others when one handle is closed', async ({ storage, other, check }) => {
      const second = await other();
      if (second !== storage) await second.close();
      check.equal(await storage.transaction((tx) => tx.settings.putIfAbsent('a', 'b')), 'b');
    });
  });
}
