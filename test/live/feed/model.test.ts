import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import type { NewFact } from '../../../src/domain/events';
import type { ApiKey } from '../../../src/domain/types';
import { channelMessages } from '../../../src/events/channel-messages';
import { channelName, isAccountChannel } from '../../../src/events/channel-keys';
import type { FeedConnection } from '../../../src/live/feed/types';
import type { Storage } from '../../../src/ports/storage';
import { stored } from '../../events/random-facts';
import { quiet } from '../../jobs/manual-timers';
import {
  ALICE,
  createFeedWorld,
  insertKey,
  NotingReader,
  subscribe,
  type FeedWorld,
  type Instance,
  type Told,
} from './support';

const CHANNELS = ['trades', 'prices', 'markets', 'market:1', 'market:2', 'account'];
const CLIENTS = 4;

const client = fc.nat({ max: CLIENTS - 1 });
const instance = fc.nat({ max: 1 });
const steps = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('commit' as const),
      facts: fc.array(fc.nat({ max: 4 }), { minLength: 1, maxLength: 5 }),
    }),
  },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('relay' as const), instance }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('join' as const), client, instance }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('leave' as const), client }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('pause' as const, 'resume' as const), client }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('wait' as const), turns: fc.nat({ max: 8 }) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('prune' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('other-epoch' as const), client }) },
);
type Step = typeof steps extends fc.Arbitrary<infer Value> ? Value : never;

interface Published {
  seq: number;
  channels: string[];
}

class ModelClient {
  position: { epoch: string; seq: number } | null = null;
  connection: FeedConnection | null = null;
  reader = new NotingReader();
  readonly stretches: {
    begin: number;
    resumed: boolean;
    told: { channel: string; seq: number; prev: number | null }[];
  }[] = [];
  #joining: Promise<void> | null = null;

  constructor(
    readonly channels: string[],
    readonly key: ApiKey,
  ) {}

  join({ feed }: Instance, epoch: string): void {
    if (this.connection?.isOpen === true) return;
    this.leave(epoch);
    this.reader = new NotingReader();
    this.connection = feed.connect(this.reader);
    this.connection.authenticate(this.key);
    this.position ??= null;
    const since = this.position;
    const { reader, connection } = this;
    this.#joining = subscribe(connection, reader, this.channels, since).then(() => undefined);
    this.position = since ?? { epoch, seq: -1 };
  }

  leave(epoch: string): void {
    this.connection?.close();
    this.connection = null;
    this.#read(epoch);
  }

  async joined(): Promise<void> {
    await this.#joining;
  }

  #read(epoch: string): void {
    for (const told of this.reader.told) this.#take(told, epoch);
    this.reader = new NotingReader();
    if (this.position?.seq === -1) this.position = null;
  }

  #take(told: Told, epoch: string): void {
    if (told.kind === 'subscribed') {
      const { seq } = told.subscribed;
      const resumed = this.position !== null && this.position.seq === seq;
      this.stretches.push({ begin: seq, resumed, told: [] });
      this.position = { epoch, seq };
    } else if (told.kind === 'resync') {
      this.stretches.push({ begin: told.resync.seq, resumed: false, told: [] });
      this.position = { epoch, seq: told.resync.seq };
    } else if (told.kind === 'message') {
      const { channel, seq, prev = null } = told.message;
      this.stretches.at(-1)?.told.push({ channel, seq, prev });
      if (this.position !== null) this.position.seq = Math.max(this.position.seq, seq - 1);
    }
  }
}

function slowly(storage: Storage, turns: readonly number[]): Storage {
  let calls = 0;
  const wait = async (): Promise<void> => {
    calls += 1;
    for (let left = turns[calls % turns.length] ?? 0; left > 0; left -= 1) await nextTurn();
  };
  return {
    ...storage,
    read: async (work) => {
      await wait();
      const answer = await storage.read(work);
      await wait();
      return answer;
    },
    snapshot: async (work, options) => {
      const answer = await storage.snapshot(work, options);
      await wait();
      return answer;
    },
  };
}

async function play(steps_: readonly Step[], sets: readonly string[][], turns: readonly number[]) {
  const world = await createFeedWorld();
  const slow = slowly(world.storage, turns);
  const instances = [await world.instance(slow, 1), await world.instance(slow, 1)];
  for (const { timers } of instances) timers.yieldTurn = () => nextTurn();
  const epoch = await world.epoch();
  const clients: ModelClient[] = [];
  for (const channels of sets) clients.push(new ModelClient(channels, await insertKey(world.storage)));
  const published: Published[] = [];
  const relays = instances.map(() => Promise.resolve());
  const run = (index: number): void => {
    const before = relays[index] ?? Promise.resolve();
    relays[index] = before.then(() => instances[index]?.run());
  };
  for (const step of steps_) {
    if (step.do === 'commit') await commit(world, published, step.facts);
    else if (step.do === 'relay') run(step.instance);
    else if (step.do === 'join') clients[step.client]?.join(instances[step.instance] as Instance, epoch);
    else if (step.do === 'leave') clients[step.client]?.leave(epoch);
    else if (step.do === 'pause') clients[step.client]?.reader.pause();
    else if (step.do === 'resume') clients[step.client]?.reader.resume();
    else if (step.do === 'other-epoch') {
      const position = clients[step.client]?.position;
      if (position) position.epoch = 'another';
    } else if (step.do === 'prune') {
      world.world.clock.advance(1);
      const now = world.world.clock.now();
      await world.storage.transaction((transaction) => transaction.events.deleteBefore(now, 1_000));
    } else if (step.do === 'wait') for (let turn = 0; turn < step.turns; turn += 1) await nextTurn();
  }
  for (let round = 0; round < 3; round += 1) {
    for (const index of instances.keys()) run(index);
    await Promise.all(relays);
    for (const [index, each] of clients.entries()) {
      each.reader.resume();
      // An instance whose relay found a gap has ended its readers, so the clients join again.
      each.join(instances[index % 2] as Instance, epoch);
      await each.joined();
    }
    for (let waits = 0; waits < 20; waits += 1) await quiet();
  }
  for (const each of clients) each.leave(epoch);
  return { clients, published };
}

async function commit(world: FeedWorld, published: Published[], facts: readonly number[]): Promise<void> {
  const rows: NewFact[] = facts.map((fact) => {
    if (fact < 2) return world.trade(fact + 1);
    return fact < 4 ? world.opened(fact - 1) : world.balance();
  });
  const head = await world.head();
  await world.commit(...rows);
  for (const [index, row] of rows.entries()) {
    const seq = head + index + 1;
    const messages = channelMessages(stored(row, seq));
    const own = messages.filter(({ channel }) => !isAccountChannel(channel) || channel.endsWith(ALICE));
    published.push({ seq, channels: own.map(({ channel }) => channelName(channel)) });
  }
}

function expectComplete({ stretches, channels }: ModelClient, published: readonly Published[]): void {
  const last = published.at(-1)?.seq ?? 0;
  for (const channel of channels) {
    const all = published.filter((fact) => fact.channels.includes(channel)).map(({ seq }) => seq);
    let have: number[] = [];
    let from = 0;
    const complete = (upTo: number): void =>
      expect({ channel, from, have }).toEqual({
        channel,
        from,
        have: all.filter((seq) => seq > from && seq <= upTo),
      });
    for (const { begin, resumed, told } of stretches) {
      if (!resumed) {
        complete(have.at(-1) ?? from);
        from = begin;
        have = [];
      }
      let before: number | null = null;
      for (const { seq, prev } of told.filter((each) => each.channel === channel)) {
        expect(seq).toBeGreaterThan(Math.max(begin, before ?? 0));
        if (before !== null) expect(prev).toBe(before);
        else if (prev !== null) {
          expect(prev).toBeLessThanOrEqual(begin);
          const known = all.filter((each) => each < seq).at(-1);
          if (known !== undefined) expect(prev).toBe(known);
        }
        before = seq;
        if (seq > (have.at(-1) ?? from)) have.push(seq);
      }
    }
    complete(last);
  }
}

describe('the feed', () => {
  it('tells each client each message of its channels once and in order, in an unbroken chain', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(steps, { minLength: 5, maxLength: 60 }),
        fc.tuple(...Array.from({ length: CLIENTS }, () => fc.subarray(CHANNELS, { minLength: 1 }))),
        fc.array(fc.nat({ max: 4 }), { minLength: 1, maxLength: 7 }),
        async (steps_, sets, turns) => {
          const { clients, published } = await play(steps_, sets, turns);
          for (const each of clients) expectComplete(each, published);
        },
      ),
      { numRuns: 60 },
    );
  });
});
