import { memoryStorage } from '../../../adapters/storage/memory';
import { serviceUnavailable } from '../../../src/domain/errors';
import { createWebhookJob, type WebhookJob } from '../../../src/live/webhooks/delivery-job';
import type { Poster } from '../../../src/outbound/post';
import { silentLogger } from '../../../src/ports/logger';
import type { Storage } from '../../../src/ports/storage';
import { createAlarms } from '../../../src/usecases/alarms';
import type { OperatorContext } from '../../../src/usecases/context';
import { seededRandom } from '../../../testing/seeded-random';
import { sampleWebhook } from '../../../testing/storage-conformance/webhook-samples';
import { testClock, type TestClock } from '../../../testing/test-clock';
import { manualTimers } from '../../jobs/manual-timers';

type Fault = 'before the commit' | 'after the commit';

export interface Instance {
  context: OperatorContext;
  job: WebhookJob;
  news(): void;
  failNext(fault: Fault): void;
  kill(): void;
}

export interface World {
  storage: Storage;
  /** Whether the instances know that their clock is right. */
  isSteady: boolean;
  clock: TestClock;
  receiver: { isUp: boolean; taken: number[]; problems: string[]; underWay: number };
  instances: Instance[];
  wanted: Set<number>;
  head: number;
  replays: { seqs: number[]; takenBefore: number }[];
}

export async function createWorld(): Promise<World> {
  const storage = memoryStorage();
  await storage.open({ logger: silentLogger });
  await storage.transaction(async ({ settings, webhooks }) => {
    await settings.putIfAbsent('event-epoch', 'epoch');
    await webhooks.insert(sampleWebhook({ seq: 0, events: ['creator.updated'], createdAt: 0, updatedAt: 0 }));
  });
  const receiver = { isUp: true, taken: [], problems: [], underWay: 0 };
  const world: World = {
    storage,
    isSteady: true,
    clock: testClock(),
    receiver,
    instances: [],
    wanted: new Set(),
    head: 0,
    replays: [],
  };
  world.instances.push(createInstance(world, 1), createInstance(world, 2));
  return world;
}

function posterOf({ receiver, wanted }: World): Poster {
  return {
    async post({ headers }) {
      const seq = Number(headers['webhook-id']?.split(':')[1]);
      receiver.underWay += 1;
      await new Promise((answered) => setImmediate(answered));
      receiver.underWay -= 1;
      for (const earlier of wanted)
        if (earlier < seq && !receiver.taken.includes(earlier))
          receiver.problems.push(`${seq} came before ${earlier}`);
      if (receiver.isUp) receiver.taken.push(seq);
      return { status: receiver.isUp ? 204 : 500, headers: {}, text: '' };
    },
    close: () => undefined,
  };
}

export function createInstance(world: World, seed: number): Instance {
  const { clock } = world;
  const random = seededRandom(seed);
  let isDead = false;
  let fault: Fault | null = null;
  const take = (): Fault | null => {
    const taken = fault;
    fault = null;
    return taken;
  };
  const alive = (): void => {
    if (isDead) throw new Error('the process is dead');
  };
  const storage: Storage = {
    ...world.storage,
    read: async (work) => {
      alive();
      return world.storage.read(work);
    },
    async transaction(work) {
      alive();
      const planned = take();
      if (planned === 'before the commit') throw serviceUnavailable('no connection');
      const result = await world.storage.transaction(work);
      if (planned === 'after the commit') throw serviceUnavailable('the answer was lost');
      return result;
    },
  };
  const followers = new Set<() => void>();
  const parts = { config: { webhooks: { limit: 20, allowPrivate: true } }, storage, clock, random };
  const rest = { logger: silentLogger, alarms: createAlarms({ logger: silentLogger, clock }) };
  const context = {
    ...parts,
    ...rest,
    operator: 'test',
    webhooksChanged: () => job.changed(),
    clockIsSteady: () => world.isSteady,
  } as unknown as OperatorContext;
  const job = createWebhookJob({
    context,
    relay: {
      follow(onNews) {
        followers.add(onNews);
        return () => void followers.delete(onNews);
      },
    },
    poster: posterOf(world),
    publish: () => undefined,
    timers: manualTimers(),
  });
  return {
    context,
    job,
    news: () => followers.forEach((onNews) => onNews()),
    failNext: (next) => (fault = next),
    kill: () => (isDead = true),
  };
}

export async function append(world: World, kind: 'wanted' | 'other'): Promise<void> {
  const data = { address: `0x${'a'.repeat(40)}`, status: 'approved', reason: null };
  const fact = { marketId: null, marketSeq: null, createdAt: world.clock.now(), data };
  await world.storage.transaction(({ events }) =>
    events.append([{ ...fact, kind: kind === 'wanted' ? 'creator.updated' : 'of a later version' }]),
  );
  world.head += 1;
  if (kind === 'wanted') world.wanted.add(world.head);
}

export const ignoringOutages = (work: Promise<unknown>): Promise<unknown> => work.catch(() => undefined);

export async function runAll({ instances }: World): Promise<void> {
  await Promise.all(instances.map(({ job }) => ignoringOutages(job.run())));
  await Promise.all(instances.map(({ job }) => job.ended()));
}
