import fc from 'fast-check';
import { enableWebhook } from '../../../src/usecases/webhooks/enable-webhook';
import { replayWebhook } from '../../../src/usecases/webhooks/replay-webhook';
import { rotateWebhookSecret } from '../../../src/usecases/webhooks/rotate-webhook-secret';
import { quiet } from '../../jobs/manual-timers';
import {
  append,
  createInstance,
  createWorld,
  ignoringOutages,
  runAll,
  type Instance,
  type World,
} from './world';

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
/** A replay would leave out an earlier fact that is not taken yet, so this step does nothing in that case. */
async function replay(world: World, at: number, seq: number): Promise<void> {
  const { receiver, wanted } = world;
  if ([...wanted].some((each) => each < seq && !receiver.taken.includes(each))) return;
  const takenBefore = receiver.taken.length;
  const isDone = await replayWebhook(instanceOf(world, at).context, { id: 1, seq }).then(
    () => true,
    () => false,
  );
  // The replay may have taken effect even if its answer was lost. Then earlier replays need not send facts before
  // `seq`.
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
