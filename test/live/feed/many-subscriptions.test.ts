import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';
import { createGate } from '../../support/gate';
import { quiet } from '../../jobs/manual-timers';
import { createFeedWorld, NotingReader, subscribe, type FeedWorld, type Instance } from './support';

/** Several pages of 128 facts, so that one catch-up can reach the position at which another catch-up begins. */
const HISTORY = 300;
const CHANNELS = ['trades', 'prices', 'markets', 'market:1', 'market:2'];

const steps = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('subscribe' as const),
      channels: fc.subarray(CHANNELS, { minLength: 1 }),
      // Few positions, so that subscriptions often share a position.
      since: fc.constantFrom(0, 1, 128, 130, 256),
      conflate: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('unsubscribe' as const),
      channels: fc.subarray(CHANNELS, { minLength: 1, maxLength: 2 }),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('wait' as const), turns: fc.nat({ max: 12 }) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('commit' as const), trades: fc.nat({ max: 3 }) }) },
);
type Step = typeof steps extends fc.Arbitrary<infer Value> ? Value : never;

interface Stretch {
  since: number;
  from: number;
}

async function worldWithHistory(): Promise<{ world: FeedWorld; instance: Instance }> {
  const world = await createFeedWorld();
  await world.commit(...Array.from({ length: HISTORY }, (_, index) => world.trade(1 + (index % 2))));
  const instance = await world.instance({
    ...world.storage,
    read: async (work) => {
      await nextTurn();
      return world.storage.read(work);
    },
  });
  instance.timers.yieldTurn = () => nextTurn();
  instance.timers.after = (_milliseconds, act) => {
    void nextTurn().then(act);
    return () => undefined;
  };
  return { world, instance };
}

async function caughtUp({ feed }: Instance): Promise<void> {
  for (let turns = 0; feed.figures().catchingUp > 0; turns += 1) {
    if (turns > 5_000) throw new Error('a catch-up does not end');
    await nextTurn();
  }
}

async function play(all: readonly Step[]) {
  const { world, instance } = await worldWithHistory();
  const epoch = await world.epoch();
  const reader = new NotingReader();
  const connection = instance.feed.connect(reader);
  const stretches = new Map<string, Stretch>();
  for (const step of all) {
    if (step.do === 'subscribe') {
      const { channels, since, conflate } = step;
      await connection.subscribe(
        { channels, since: { epoch, seq: since }, conflate: conflate && channels.includes('prices') },
        () => {
          for (const channel of channels) stretches.set(channel, { since, from: reader.told.length });
        },
      );
    } else if (step.do === 'unsubscribe') {
      connection.unsubscribe(step.channels);
      for (const channel of step.channels) stretches.delete(channel);
    } else if (step.do === 'commit') {
      await world.commit(...Array.from({ length: step.trades }, () => world.trade(1)));
      await instance.run();
    } else for (let turn = 0; turn < step.turns; turn += 1) await nextTurn();
  }
  await caughtUp(instance);
  await world.commit(world.trade(1), world.trade(2));
  await instance.run();
  await quiet();
  const whole = new NotingReader();
  await subscribe(instance.feed.connect(whole), whole, CHANNELS, { epoch, seq: 0 });
  await caughtUp(instance);
  return { reader, whole, stretches };
}

function seqsOn(reader: NotingReader, channel: string, from = 0): { seq: number; prev?: number | null }[] {
  return reader.told.slice(from).flatMap((told) => {
    if (told.kind !== 'message' || told.message.channel !== channel) return [];
    const { seq, prev } = told.message;
    return [prev === undefined ? { seq } : { seq, prev }];
  });
}

function expectWhole({ reader, whole, stretches }: Awaited<ReturnType<typeof play>>): void {
  for (const [channel, { since, from }] of stretches) {
    const all = seqsOn(whole, channel).map(({ seq }) => seq);
    const told = seqsOn(reader, channel, from);
    expect({ channel, told: told.map(({ seq }) => seq) }).toEqual({
      channel,
      told: all.filter((seq) => seq > since),
    });
    for (const [index, { prev }] of told.entries())
      // A price has no `prev` for a client that subscribes with `conflate`. The first message after a subscription
      // may have `null`.
      if (prev !== undefined && prev !== null)
        expect(prev).toBe(told[index - 1]?.seq ?? all.filter((seq) => seq <= since).at(-1));
      else if (prev === null) expect(index).toBe(0);
  }
  expect(reader.kinds()).not.toContain('end');
}

describe('A connection with many subscriptions', () => {
  it('gets each message after the position of its channel once and in order', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(steps, { minLength: 3, maxLength: 40 }), async (all) => {
        expectWhole(await play(all));
      }),
      { numRuns: 30 },
    );
  });

  it('gets the pages of equal positions together: few batches, and each page is read once', async () => {
    const { world, instance } = await worldWithHistory();
    const epoch = await world.epoch();
    const reader = new NotingReader();
    const connection = instance.feed.connect(reader);
    const deliver = jest.spyOn(reader, 'deliver');
    const held = createGate();
    instance.timers.yieldTurn = () => held.opened;
    for (const channel of CHANNELS) await subscribe(connection, reader, [channel], { epoch, seq: 0 });
    held.open();
    await caughtUp(instance);
    // The first subscription gets three pages, and all other subscriptions together get three.
    expect(deliver.mock.calls.length).toBeLessThanOrEqual(6);
    expect(seqsOn(reader, 'market:2').map(({ seq }) => seq)).toHaveLength(HISTORY / 2 + 1);
  });
});
