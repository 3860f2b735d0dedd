import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { memoryStorage } from '../../adapters/storage/memory';
import { serviceUnavailable } from '../../src/domain/errors';
import type { EventPosition } from '../../src/domain/event-position';
import type { AnyPublishedEvent, NewFact } from '../../src/domain/events';
import { createEmitter } from '../../src/live/emitter';
import { createEventIterators, type ClosableEventIterators } from '../../src/live/events-since';
import { createRelay, type Relay } from '../../src/live/relay';
import { silentLogger } from '../../src/ports/logger';
import type { Storage } from '../../src/ports/storage';
import { createTestMarket } from '../../testing/create-test-market';
import { seededRandom } from '../../testing/seeded-random';
import { testClock } from '../../testing/test-clock';
import { manualTimers, quiet, type ManualTimers } from '../jobs/manual-timers';
import { NO_FEED } from './outbox';

const fact = (status: string, createdAt = 0): NewFact => ({
  marketId: null,
  marketSeq: null,
  kind: 'creator.updated',
  createdAt,
  data: { address: '0x00000000000000000000000000000000000000a1', status, reason: null },
});

interface World {
  storage: Storage;
  relay: Relay;
  iterators: ClosableEventIterators;
  timers: ManualTimers;
  state: { away: Error | null; pagesRead: number };
  epoch: string;
  commit(...facts: NewFact[]): Promise<void>;
}

async function createWorld(): Promise<World> {
  const stored = memoryStorage();
  await stored.open({ logger: silentLogger });
  const state: { away: Error | null; pagesRead: number } = { away: null, pagesRead: 0 };
  const storage: Storage = {
    ...stored,
    read: async (work) => {
      if (state.away !== null) throw state.away;
      return stored.read((reader) =>
        work({
          ...reader,
          events: {
            ...reader.events,
            after: (seq, limit) => {
              if (limit > 1) state.pagesRead += 1;
              return reader.events.after(seq, limit);
            },
          },
        }),
      );
    },
  };
  const timers = manualTimers();
  const context = {
    storage,
    clock: testClock(),
    clockIsSteady: () => true,
    random: seededRandom(),
    logger: silentLogger,
  };
  const relay = createRelay(context, createEmitter(silentLogger), NO_FEED);
  await relay.start();
  const iterators = createEventIterators({ context, relay, requireStarted: () => undefined, timers });
  return {
    storage,
    relay,
    iterators,
    timers,
    state,
    epoch: relay.position().epoch,
    commit: (...facts) => stored.transaction((transaction) => transaction.events.append(facts)),
  };
}

function reading(events: AsyncIterable<AnyPublishedEvent>): { seqs: number[]; end: string | null } {
  const seen: { seqs: number[]; end: string | null } = { seqs: [], end: null };
  void (async () => {
    for await (const { seq } of events) seen.seqs.push(seq);
  })().then(
    () => (seen.end = 'ended'),
    (error: unknown) => (seen.end = (error as { code?: string }).code ?? String(error)),
  );
  return seen;
}

const numbers = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index);

describe('events.since', () => {
  let world: World;
  beforeEach(async () => {
    world = await createWorld();
  });
  afterEach(() => world.iterators.close());
  const at = (seq: number): EventPosition => ({ epoch: world.epoch, seq });

  it('tells what is stored, then what is new, without a gap', async () => {
    await world.commit(
      ...numbers(1, 250)
        .map(String)
        .map((status) => fact(status)),
    );
    const seen = reading(world.iterators.since(at(3)));
    await quiet();
    expect(seen.seqs).toEqual(numbers(4, 250));
    await world.commit(fact('a'), fact('b'));
    await world.relay.run();
    await quiet();
    expect(seen).toEqual({ seqs: numbers(4, 252), end: null });
  });

  it('finds what is new without any hint', async () => {
    const seen = reading(world.iterators.since(at(0)));
    await quiet();
    await world.commit(fact('a'));
    await world.timers.fire(1_000);
    expect(seen.seqs).toEqual([1]);
  });

  it('rejects a position of another epoch, one ahead, and one whose next facts were removed', async () => {
    await world.commit(fact('a'), fact('b', 1), fact('c', 2));
    await world.storage.transaction((transaction) => transaction.events.deleteBefore(2, 10));
    const ends = [{ epoch: 'another', seq: 3 }, at(4), at(1), at(2), at(3)].map((position) =>
      reading(world.iterators.since(position)),
    );
    await quiet();
    expect(ends).toEqual([
      { seqs: [], end: 'EPOCH' },
      { seqs: [], end: 'SEQ_AHEAD' },
      { seqs: [], end: 'RETENTION' },
      { seqs: [3], end: null },
      { seqs: [], end: null },
    ]);
  });

  it('rejects when facts are removed before a slow reader has come to them', async () => {
    await world.commit(...numbers(1, 300).map((time) => fact('approved', time)));
    const events = world.iterators.since(at(0));
    const seqs: number[] = [];
    for (let read = 0; read < 100; read += 1) seqs.push((await events.next()).value?.seq ?? 0);
    await world.storage.transaction((transaction) => transaction.events.deleteBefore(200, 300));
    await expect(events.next()).rejects.toMatchObject({ name: 'EventPositionError', code: 'RETENTION' });
    expect(seqs).toEqual(numbers(1, 100));
  });

  it('reads no page before the reader has taken the last one', async () => {
    await world.commit(
      ...numbers(1, 500)
        .map(String)
        .map((status) => fact(status)),
    );
    const events = world.iterators.since(at(0));
    for (let read = 0; read < 100; read += 1) await events.next();
    await quiet();
    expect(world.state.pagesRead).toBe(1);
    await events.next();
    expect(world.state.pagesRead).toBe(2);
    await events.return?.();
  });

  it('ends with the signal, with return while it waits, and when the prediction market is closed', async () => {
    const controller = new AbortController();
    const [signalled, returned, closed] = [
      world.iterators.since(at(0), { signal: controller.signal }),
      world.iterators.since(at(0)),
      world.iterators.since(at(0)),
    ];
    const seen = [signalled, returned, closed].map(reading);
    const ends = () => seen.map(({ end }) => end);
    await quiet();
    expect(ends()).toEqual([null, null, null]);
    controller.abort();
    await quiet();
    expect(ends()).toEqual(['ended', null, null]);
    await returned.return?.();
    await quiet();
    expect(ends()).toEqual(['ended', 'ended', null]);
    world.iterators.close();
    await quiet();
    expect(ends()).toEqual(['ended', 'ended', 'ended']);
    expect(world.timers.delays()).toEqual([]);
    expect(reading(world.iterators.since(at(0), { signal: controller.signal }))).toMatchObject({ seqs: [] });
  });

  it('waits while the storage is away, and loses nothing', async () => {
    await world.commit(fact('a'));
    world.state.away = serviceUnavailable('away');
    const seen = reading(world.iterators.since(at(0)));
    await quiet();
    await world.timers.fire();
    await world.timers.fire();
    expect(seen).toEqual({ seqs: [], end: null });
    world.state.away = null;
    await world.timers.fire();
    expect(seen.seqs).toEqual([1]);
    world.state.away = new Error('broken');
    await world.timers.fire();
    expect(seen).toEqual({ seqs: [1], end: 'Error: broken' });
  });

  it('refuses a position that is none', () => {
    for (const position of [undefined, 7, { epoch: world.epoch }, { epoch: 1, seq: 1 }, at(-1), at(0.5)])
      expect(() => world.iterators.since(position as never)).toThrow(/^events\.since: the position must be/);
  });

  it('tells each fact once and in order, however commits and hints fall', async () => {
    const step = fc.constantFrom('commit', 'batch', 'hint', 'poll', 'turn');
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), fc.nat(5), async (steps, start) => {
        const own = await createWorld();
        let committed = 5;
        await own.commit(...numbers(1, committed).map(() => fact('approved')));
        const seen = reading(own.iterators.since({ epoch: own.epoch, seq: start }));
        for (const name of steps) {
          const more = { commit: 1, batch: 130 }[name as 'commit' | 'batch'] ?? 0;
          if (more > 0) await own.commit(...numbers(1, more).map(() => fact('approved')));
          committed += more;
          if (name === 'hint') await own.relay.run();
          if (name === 'poll' && own.timers.delays().length > 0) await own.timers.fire();
          if (name === 'turn') await quiet();
        }
        await own.relay.run();
        await quiet();
        own.iterators.close();
        expect(seen.seqs).toEqual(numbers(start + 1, committed));
      }),
      { numRuns: 30 },
    );
  });
});

describe('pm.events.since', () => {
  it('tells each event of a fact, from the position of the prediction market on, until it is closed', async () => {
    const test = await createTestMarket();
    const alice = test.wallet('alice');
    await test.fund(alice, 100);
    const { id } = await test.createMarket();
    await test.runJobs();
    const position = test.pm.eventPosition();
    await test.pm.placeTrade({ wallet: alice.address, market: id, side: 'YES', amount: 10 });
    const told: [string, number][] = [];
    for await (const { event, seq } of test.pm.events.since(position)) {
      told.push([event, seq - position.seq]);
      if (told.length === 5) break;
    }
    expect(told).toEqual([
      ['trade', 1],
      ['price', 1],
      ['account.trade', 1],
      ['account.balance', 1],
      ['account.balance', 1],
    ]);
    const waiting = test.pm.events.since(test.pm.eventPosition());
    const seen = reading(waiting);
    await test.close();
    await quiet();
    expect(seen.end).toBe('ended');
    expect(() => test.pm.eventPosition()).toThrow(/closed/);
  });
});
