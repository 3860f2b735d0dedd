import { memoryStorage } from '../../../adapters/storage/memory';
import { serviceUnavailable } from '../../../src/domain/errors';
import type { NewFact } from '../../../src/domain/events';
import { silentLogger } from '../../../src/ports/logger';
import type { Storage } from '../../../src/ports/storage';
import { createConsumerWorker, type ConsumerWorker } from '../../../src/usecases/consumers/consumer-worker';
import { consumerDefinition, type ConsumerOptions } from '../../../src/usecases/consumers/options';
import { registerConsumer } from '../../../src/usecases/consumers/register-consumer';
import { EPOCH_SETTING } from '../../../src/usecases/facts/read-facts';
import { seededRandom } from '../../../testing/seeded-random';
import { testClock, type TestClock } from '../../../testing/test-clock';
import { manualTimers, quiet, type ManualTimers } from '../../jobs/manual-timers';

export const EPOCH = 'epoch-1';
export const NAME = 'books';

export const fact = (marketId: number | null = null, kind = 'creator.updated'): NewFact => ({
  marketId,
  marketSeq: null,
  kind,
  createdAt: 0,
  data: { address: '0x00000000000000000000000000000000000000a1', status: 'approved', reason: null },
});

export interface Instance {
  worker: ConsumerWorker;
  timers: ManualTimers;
  /** While set, the instance's calls of the handler wait for this promise. */
  stall: Promise<void> | null;
  death: { transactions: number; afterCommit: boolean } | null;
  isStorageAway: boolean;
  isDead: boolean;
  stop: AbortController;
}

export interface World {
  storage: Storage;
  clock: TestClock;
  /** One entry per call of the handler: `<seq>`, or `<seq> failed` if the handler threw. */
  calls: string[];
  done: Set<number>;
  parked: Set<number>;
  /** An entry `<seq> before <earlier>` means that a fact was handled before an earlier fact was handled or parked. */
  disorder: string[];
  failures: Map<number, number>;
  positions: number[];
  commit(...facts: NewFact[]): Promise<void>;
  instance(): Instance;
  run(instance: Instance): Promise<void>;
  position(): Promise<number>;
}

const never = new Promise<never>(() => undefined);

export async function createWorld(options: ConsumerOptions = {}): Promise<World> {
  const storage = memoryStorage();
  await storage.open({ logger: silentLogger });
  await storage.transaction((transaction) => transaction.settings.putIfAbsent(EPOCH_SETTING, EPOCH));
  const clock = testClock();
  const markets: (number | null)[] = [null];
  const byMarket = (options.concurrency ?? 1) > 1;
  const world: World = {
    storage,
    clock,
    calls: [],
    done: new Set(),
    parked: new Set(),
    disorder: [],
    failures: new Map(),
    positions: [],
    async commit(...facts) {
      markets.push(...facts.map(({ marketId }) => marketId));
      await storage.transaction((transaction) => transaction.events.append(facts));
    },
    instance: () => createInstance(world, options, judge),
    async run(instance) {
      const run = instance.worker.run(instance.stop.signal).catch((error: unknown) => {
        if (!instance.isDead) throw error;
      });
      let hasEnded = false;
      void run.finally(() => (hasEnded = true));
      for (let turn = 0; turn < 200 && !hasEnded && !instance.isDead && instance.stall === null; turn += 1)
        await quiet();
      if (instance.stall === null && !instance.isDead) await run;
      else await quiet();
    },
    async position() {
      return (await storage.read((reader) => reader.consumers.find(NAME)))?.seq ?? -1;
    },
  };

  function judge(seq: number): void {
    for (let earlier = 1; earlier < seq; earlier += 1) {
      if (byMarket && markets[earlier] !== markets[seq]) continue;
      if (!world.done.has(earlier) && !world.parked.has(earlier))
        world.disorder.push(`${seq} before ${earlier}`);
    }
  }

  await registerConsumer(
    { storage, clock },
    consumerDefinition(NAME, () => undefined, { from: 'oldest' }),
  );
  return world;
}

function createInstance(world: World, options: ConsumerOptions, judge: (seq: number) => void): Instance {
  const timers = manualTimers();
  const instance: Instance = {
    timers,
    stall: null,
    death: null,
    isStorageAway: false,
    isDead: false,
    stop: new AbortController(),
    worker: { run: () => never, end: () => never },
  };
  const definition = consumerDefinition(
    NAME,
    async (_events, { seq }) => {
      if (instance.isDead) return never;
      judge(seq);
      await instance.stall;
      const left = world.failures.get(seq) ?? 0;
      if (left > 0) {
        world.failures.set(seq, left - 1);
        world.calls.push(`${seq} failed`);
        throw new Error('this handler was told to fail');
      }
      world.calls.push(String(seq));
      world.done.add(seq);
    },
    { attempts: 3, ...options },
  );
  const context = {
    storage: mortalStorage(world, instance),
    clock: world.clock,
    clockIsSteady: () => true,
    random: seededRandom(),
    logger: silentLogger,
  };
  const onParked = ({ seq }: { seq: number }): void => void world.parked.add(seq);
  const dependencies = { context, timers, wake: () => undefined, onParked };
  instance.worker = createConsumerWorker(dependencies, definition, `owner ${Math.random()}`);
  return instance;
}

/** Calls of this storage never return after the death of the instance. */
function mortalStorage({ storage, positions, parked }: World, instance: Instance): Storage {
  return {
    ...storage,
    read: (work) => (instance.isDead ? never : storage.read(work)),
    async transaction(work) {
      if (instance.isStorageAway) throw serviceUnavailable('the storage is away');
      const isLast = instance.death !== null && --instance.death.transactions === 0;
      if (isLast && instance.death?.afterCommit === false) instance.isDead = true;
      if (instance.isDead) return never;
      const result = await storage.transaction(work);
      const [consumer] = await storage.read((reader) => reader.consumers.list());
      positions.push(consumer?.seq ?? -1);
      const list = await storage.read((reader) =>
        reader.consumers.listParked({ consumer: NAME, limit: 1_000, offset: 0 }),
      );
      for (const { seq } of list.parked) parked.add(seq);
      if (isLast) instance.isDead = true;
      return instance.isDead ? never : result;
    },
  };
}
