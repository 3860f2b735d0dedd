/**
 * Two instances deliver to one webhook while facts come, the receiver fails, commits fail or lose their
 * answer, instances are killed and operators replay. Compared with a plain model: the set of facts that the
 * receiver has taken.
 */
import fc from 'fast-check';
import { memoryStorage } from '../../../adapters/storage/memory';
import { serviceUnavailable } from '../../../src/domain/errors';
import { createWebhookJob, type WebhookJob } from '../../../src/live/webhooks/delivery-job';
import type { Poster } from '../../../src/outbound/post';
import { silentLogger } from '../../../src/ports/logger';
import type { Storage } from '../../../src/ports/storage';
import { createAlarms } from '../../../src/usecases/alarms';
import type { Context } from '../../../src/usecases/context';
import { enableWebhook } from '../../../src/usecases/webhooks/enable-webhook';
import { replayWebhook } from '../../../src/usecases/webhooks/replay-webhook';
import { rotateWebhookSecret } from '../../../src/usecases/webhooks/rotate-webhook-secret';
import { seededRandom } from '../../../testing/seeded-random';
import { sampleWebhook } from '../../../testing/storage-conformance/samples';
import { testClock, type TestClock } from '../../../testing/test-clock';
import { manualTimers, quiet } from '../../jobs/manual-timers';

type Fault = 'before the commit' | 'after the commit';

interface Instance {
  context: Context;
  job: WebhookJob;
  /** There are new facts, as the relay tells. */
  news(): void;
  failNext(fault: Fault): void;
  kill(): void;
}

interface World {
  storage: Storage;
  clock: TestClock;
  receiver: { isUp: boolean; taken: number[]; problems: string[]; underWay: number };
  instances: Instance[];
  wanted: Set<number>;
  head: number;
  /** For each replay: the facts that it asks for, and how many were taken before it. */
  replays: { seqs: number[]; takenBefore: number }[];
}

async function createWorld(): Promise<World> {
  const storage = memoryStorage();
  await storage.open({ logger: silentLogger });
  await storage.transaction(async ({ settings, webhooks }) => {
    await settings.putIfAbsent('event-epoch', 'epoch');
    await webhooks.insert(sampleWebhook({ seq: 0, events: ['creator.updated'], createdAt: 0, updatedAt: 0 }));
  });
  const receiver = { isUp: true, taken: [], problems: [], underWay: 0 };
  const world: World = {
    storage,
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

/** The receiver sees whether a fact comes before an earlier one was taken. */
function posterOf({ receiver, wanted }: World): Poster {
  return {
    async post({ headers }) {
      const seq = Number(headers['webhook-id']?.split(':')[1]);
      // Other steps come between the POST and its answer.
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

function createInstance(world: World, seed: number): Instance {
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
  const context = { ...parts, ...rest, webhooksChanged: () => job.changed() } as unknown as Context;
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

async function append(world: World, kind: 'wanted' | 'other'): Promise<void> {
  const data = { address: `0x${'a'.repeat(40)}`, status: 'approved', reason: null };
  const fact = { marketId: null, marketSeq: null, createdAt: world.clock.now(), data };
  await world.storage.transaction(({ events }) =>
    events.append([{ ...fact, kind: kind === 'wanted' ? 'creator.updated' : 'of a later version' }]),
  );
  world.head += 1;
  if (kind === 'wanted') world.wanted.add(world.head);
}

const ignoringOutages = (work: Promise<unknown>): Promise<unknown> => work.catch(() => undefined);

async function runAll({ instances }: World): Promise<void> {
  await Promise.all(instances.map(({ job }) => ignoringOutages(job.run())));
  await Promise.all(instances.map(({ job }) => job.ended()));
}

type Step = (world: World, at: number) => Promise<unknown>;
const instanceOf = ({ instances }: World, at: number): Instance => instances[at % 2] as Instance;

const PEACEFUL: Record<string, Step> = {
  'a fact that it wants': (world) => append(world, 'wanted'),
  'several facts at once': async (world) => {
    for (const kind of ['wanted', 'other', 'wanted', 'wanted'] as const) await append(world, kind);
    for (const { news } of world.instances) news();
  },
  'a fact that it does not want': (world) => append(world, 'other'),
  'one instance runs': async (world, at) => {
    await ignoringOutages(instanceOf(world, at).job.run());
  },
  'both run': runAll,
  news: async (world, at) => instanceOf(world, at).news(),
  'the receiver fails': async ({ receiver }) => void (receiver.isUp = false),
  'the receiver is well': async ({ receiver }) => void (receiver.isUp = true),
  'a second passes': async ({ clock }) => clock.advance(1_100),
  'a rotation': (world, at) =>
    ignoringOutages(rotateWebhookSecret(instanceOf(world, at).context, { id: 1, overlapSeconds: 0 })),
  'a turn of the event loop': quiet,
};
/** A number ahead of what was taken would leave facts out. */
async function replay(world: World, at: number, seq: number): Promise<void> {
  const { receiver, wanted } = world;
  if ([...wanted].some((each) => each < seq && !receiver.taken.includes(each))) return;
  const takenBefore = receiver.taken.length;
  const isDone = await replayWebhook(instanceOf(world, at).context, { id: 1, seq }).then(
    () => true,
    () => false,
  );
  // It takes the place of an earlier replay that has not come so far, perhaps also when its answer was lost.
  for (const earlier of world.replays) earlier.seqs = earlier.seqs.filter((each) => each >= seq);
  if (isDone) world.replays.push({ seqs: [...wanted].filter((each) => each >= seq), takenBefore });
}

const TROUBLE: Record<string, Step> = {
  'a commit fails': async (world, at) => instanceOf(world, at).failNext('before the commit'),
  'the answer to a commit is lost': async (world, at) => instanceOf(world, at).failNext('after the commit'),
  'an instance is killed': async (world, at) => {
    instanceOf(world, at).kill();
    world.instances[at % 2] = createInstance(world, at);
  },
  'an hour passes': async ({ clock }) => clock.advance(3_600_000),
  'an operator enables it': (world, at) =>
    ignoringOutages(enableWebhook(instanceOf(world, at).context, { id: 1 })),
  'an operator replays': (world, at) => replay(world, at, 1 + (at % (world.head + 1))),
  'an operator replays while a message is under way': async (world, at) => {
    await append(world, 'wanted');
    await ignoringOutages(instanceOf(world, at).job.run());
    for (let turn = 0; turn < 200 && world.receiver.underWay === 0; turn += 1) await Promise.resolve();
    await replay(world, at, 1 + (at % world.head));
  },
};

const stepsOf = (table: Record<string, Step>) =>
  fc.array(fc.tuple(fc.constantFrom(...Object.keys(table)), fc.nat(1_000)), { minLength: 5, maxLength: 60 });

async function play(
  table: Record<string, Step>,
  steps: readonly (readonly [string, number])[],
): Promise<World> {
  const world = await createWorld();
  for (const [name, at] of steps) await table[name]?.(world, at);
  world.receiver.isUp = true;
  for (let round = 0; round < 4; round += 1) {
    await runAll(world);
    world.clock.advance(4_000_000);
  }
  return world;
}

const sorted = (numbers: Iterable<number>): number[] => [...numbers].sort((a, b) => a - b);

it('every fact is taken once and in order while two instances work and nothing breaks but the receiver', async () => {
  await fc.assert(
    fc.asyncProperty(stepsOf(PEACEFUL), async (steps) => {
      const { receiver, wanted } = await play(PEACEFUL, steps);
      expect(receiver).toEqual({ isUp: true, taken: sorted(wanted), problems: [], underWay: 0 });
    }),
    { numRuns: 60 },
  );
});

it('every fact is taken, and none before an earlier one, when commits fail and instances are killed', async () => {
  const table = { ...PEACEFUL, ...TROUBLE };
  await fc.assert(
    fc.asyncProperty(stepsOf(table), async (steps) => {
      const { receiver, wanted, storage, head, replays } = await play(table, steps);
      expect(receiver.problems).toEqual([]);
      expect(sorted(new Set(receiver.taken))).toEqual(sorted(wanted));
      for (const { seqs, takenBefore } of replays)
        expect(receiver.taken.slice(takenBefore)).toEqual(expect.arrayContaining(seqs));
      const webhook = await storage.read((reader) => reader.webhooks.find(1));
      expect(webhook).toMatchObject({ status: 'enabled', failures: 0 });
      expect([...wanted].filter((seq) => seq > (webhook?.seq ?? 0))).toEqual([]);
      expect(webhook?.seq).toBeLessThanOrEqual(head);
    }),
    { numRuns: 100 },
  );
});
