import { createPredictionMarket, type PredictionMarket, type Storage } from 'express-prediction-market';
import { developmentFacilitator } from 'express-prediction-market/facilitator/development';
import { manualOracle } from 'express-prediction-market/oracle/manual';
import { testClock, testWallet, type TestClock } from 'express-prediction-market/testing';
import { serviceUnavailable } from '../../src/domain/errors';
import { CONSUMER_LEASE_MS } from '../../src/usecases/consumers/tenure';
import { onEachStorage, type StorageHome } from '../support/storages';

interface Instance {
  pm: PredictionMarket;
  handled: number[];
  cutOff(): void;
}

onEachStorage(
  'a consumer of two instances',
  (ground) => {
    const alice = testWallet('alice').address;
    let home: StorageHome;
    let clock: TestClock;
    let instances: Instance[];
    let funded = 0;

    async function startInstance(): Promise<Instance> {
      let isAway = false;
      const stored = home.handle();
      const refuse = () => Promise.reject(serviceUnavailable('The database is cut off'));
      const storage: Storage = {
        ...stored,
        read: (work) => (isAway ? refuse() : stored.read(work)),
        transaction: (work, options) => (isAway ? refuse() : stored.transaction(work, options)),
      };
      const pm = createPredictionMarket({
        storage,
        oracle: manualOracle(),
        facilitator: developmentFacilitator(),
        payTo: alice,
        clock,
        jobIntervalMs: 86_400_000,
      });
      await pm.start();
      return { pm, handled: [], cutOff: () => (isAway = true) };
    }

    async function fund(pm: PredictionMarket, count: number): Promise<void> {
      for (let made = 0; made < count; made += 1) {
        funded += 1;
        await pm.deposit({ address: alice, amount: 1, reference: `fund ${funded}` });
      }
    }

    beforeEach(async () => {
      home = await ground.create();
      clock = testClock();
      instances = [await startInstance(), await startInstance()];
      for (const { pm, handled } of instances)
        await pm.consume('books', (_events, { seq }) => void handled.push(seq), { from: 'oldest' });
    });
    afterEach(async () => {
      await Promise.all(instances.map(({ pm }) => pm.close()));
      await home.destroy();
    });

    it('is handled by one of them while both live, and by the other one after the first is gone', async () => {
      const [one, two] = instances as [Instance, Instance];
      await fund(one.pm, 5);
      await Promise.all([one.pm.runJobs(), two.pm.runJobs()]);
      // On Postgres one instance numbers the facts, perhaps after the other instance has looked for facts. So the jobs
      // run twice.
      await Promise.all([one.pm.runJobs(), two.pm.runJobs()]);
      const [owner, other] = one.handled.length > 0 ? [one, two] : [two, one];
      expect([owner.handled, other.handled]).toEqual([[1, 2, 3, 4, 5], []]);

      owner.cutOff();
      await fund(other.pm, 3);
      await other.pm.runJobs();
      expect(other.handled).toEqual([]);
      clock.advance(CONSUMER_LEASE_MS);
      await other.pm.runJobs();
      expect(other.handled).toEqual([6, 7, 8]);
      const { consumers } = await other.pm.consumers();
      expect(consumers).toMatchObject([{ status: 'running', position: { seq: 8 }, behind: 0 }]);
    });

    it('changes to the other one at once when the owner stops', async () => {
      const [one, two] = instances as [Instance, Instance];
      await fund(one.pm, 2);
      await one.pm.runJobs();
      await two.pm.runJobs();
      const [owner, other] = one.handled.length > 0 ? [one, two] : [two, one];
      await owner.pm.close();
      await fund(other.pm, 2);
      clock.advance(3_000);
      await other.pm.runJobs();
      expect([owner.handled, other.handled]).toEqual([
        [1, 2],
        [3, 4],
      ]);
    });
  },
  ['sqlite', 'postgres'],
);
