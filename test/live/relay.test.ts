import type { EventName, NewFact } from '../../src/domain/events';
import { createEmitter, type Emitter } from '../../src/live/emitter';
import { createRelay, type Relay } from '../../src/live/relay';
import { SEQUENCER_LEASE_MS } from '../../src/live/sequencer';
import { seededRandom } from '../../testing/seeded-random';
import { testClock } from '../../testing/test-clock';
import type { Storage } from '../../src/ports/storage';
import { createWorld, USD, ALICE, type World } from '../usecases/resolution/world';
import { NO_FEED, unsequencedOutbox, type Outbox } from './outbox';

interface Tail {
  relay: Relay;
  emitter: Emitter;
  heard: string[];
  logged: string[];
}

const NAMES: EventName[] = ['market.created', 'trade', 'price', 'account.trade', 'creator.updated'];

function createTail(
  storage: Storage,
  clock = testClock(),
  listening = true,
  seed = 1,
  clockIsSteady = () => true,
): Tail {
  const logged: string[] = [];
  const nothing = (): void => undefined;
  const note = (_: object, message: string): void => void logged.push(message);
  const logger = { debug: nothing, info: nothing, warn: note, error: note };
  const emitter = createEmitter(logger);
  const heard: string[] = [];
  if (listening)
    for (const name of NAMES) emitter.on(name, ({ event, seq }) => void heard.push(`${seq} ${event}`));
  return {
    relay: createRelay(
      { storage, clock, clockIsSteady, random: seededRandom(seed), logger },
      emitter,
      NO_FEED,
    ),
    emitter,
    heard,
    logged,
  };
}

async function runUntilQuiet({ relay }: Tail): Promise<void> {
  while (await relay.run());
}

function creatorUpdated(status: string): NewFact {
  return {
    marketId: null,
    marketSeq: null,
    kind: 'creator.updated',
    createdAt: 0,
    data: { address: ALICE, status, reason: null },
  };
}

async function tradingWorld(): Promise<World> {
  const world = await createWorld();
  await world.fund(ALICE, 1_000n);
  return world;
}

describe('the relay on a storage that numbers events as it appends them', () => {
  it('emits what is committed after its start, in order', async () => {
    const world = await tradingWorld();
    const before = await world.open('Before?');
    const tail = createTail(world.storage);
    await tail.relay.start();
    expect(tail.relay.position()).toEqual({ epoch: expect.stringMatching(/^[0-9a-f]{32}$/), seq: 2 });
    await world.trade(before, ALICE, 'YES', 10n * USD);
    await world.open('After?');
    expect(tail.heard).toEqual([]);
    await runUntilQuiet(tail);
    expect(tail.heard).toEqual(['3 trade', '3 price', '3 account.trade', '4 market.created']);
    await runUntilQuiet(tail);
    expect(tail.heard).toHaveLength(4);
  });

  it('writes the epoch at its start, and nothing afterwards', async () => {
    const world = await tradingWorld();
    let writes = 0;
    const storage: Storage = {
      ...world.storage,
      transaction: (work) => {
        writes += 1;
        return world.storage.transaction(work);
      },
    };
    const tail = createTail(storage);
    await tail.relay.start();
    expect(writes).toBe(1);
    for (let made = 0; made < 5; made += 1) {
      await world.open(`Question ${made}?`);
      await runUntilQuiet(tail);
    }
    await tail.relay.stop();
    expect(tail.heard).toHaveLength(5);
    expect(writes).toBe(1);
  });

  it('shares one epoch among instances and restarts', async () => {
    const world = await createWorld();
    const tails = [1, 2].map((seed) => createTail(world.storage, world.clock, true, seed));
    for (const { relay } of tails) await relay.start();
    const [first, second] = tails.map(({ relay }) => relay.position().epoch);
    expect(first).toBe(second);
  });

  it('only moves its position on while there are no listeners', async () => {
    const world = await tradingWorld();
    const tail = createTail(world.storage, world.clock, false);
    await tail.relay.start();
    await world.open('Unheard?');
    await runUntilQuiet(tail);
    expect(tail.relay.position().seq).toBe(2);
    tail.emitter.on('market.created', ({ seq }) => void tail.heard.push(`heard ${seq}`));
    await world.open('Heard?');
    await runUntilQuiet(tail);
    expect(tail.heard).toEqual(['heard 3']);
  });

  it('goes through a long backlog page by page', async () => {
    const world = await createWorld();
    const tail = createTail(world.storage);
    await tail.relay.start();
    const events = Array.from({ length: 2_500 }, () => creatorUpdated('approved'));
    await world.storage.transaction((tx) => tx.events.append(events));
    expect(await tail.relay.run()).toBe(true);
    expect(tail.heard).toHaveLength(1_000);
    await runUntilQuiet(tail);
    expect(tail.heard).toEqual(events.map((_, index) => `${index + 1} creator.updated`));
  });

  it('logs an event that it cannot read, and goes on', async () => {
    const world = await createWorld();
    const tail = createTail(world.storage);
    await tail.relay.start();
    const broken: NewFact = { ...creatorUpdated('approved'), kind: 'trade', data: {} };
    const unknown: NewFact = { ...creatorUpdated('approved'), kind: 'from-the-future' };
    await world.storage.transaction((tx) => tx.events.append([broken, unknown, creatorUpdated('approved')]));
    await runUntilQuiet(tail);
    expect(tail.heard).toEqual(['3 creator.updated']);
    expect(tail.logged).toEqual(['an event could not be read']);
  });

  it('passes hints on to the job that runs it', () => {
    const { relay } = createTail(unsequencedOutbox().storage);
    relay.wake();
    let woken = 0;
    relay.onWake(() => void (woken += 1));
    relay.wake();
    expect(woken).toBe(1);
  });

  it('keeps hints to itself while there are no listeners, because the poll is soon enough', () => {
    const { relay, emitter } = createTail(unsequencedOutbox().storage, testClock(), false);
    let woken = 0;
    relay.onWake(() => void (woken += 1));
    relay.wake();
    expect(woken).toBe(0);
    emitter.on('trade', () => undefined);
    relay.wake();
    expect(woken).toBe(1);
  });
});

describe('followers of the relay', () => {
  it('hear that there are new facts once these have numbers, until they stop', async () => {
    const outbox = unsequencedOutbox();
    const tail = createTail(outbox.storage, testClock(), false);
    await tail.relay.start();
    let woken = 0;
    tail.relay.onWake(() => (woken += 1));
    const heard: (number | null)[][] = [];
    const stop = tail.relay.follow(() => heard.push(outbox.seqs()));
    outbox.commit(creatorUpdated('approved'), creatorUpdated('rejected'));
    tail.relay.wake();
    expect(woken).toBe(1);
    await runUntilQuiet(tail);
    await runUntilQuiet(tail);
    expect(heard).toEqual([[1, 2]]);
    stop();
    outbox.commit(creatorUpdated('approved'));
    tail.relay.wake();
    expect(woken).toBe(1);
    await runUntilQuiet(tail);
    expect(heard).toHaveLength(1);
  });
});

describe('the relay on a storage that leaves numbering to it', () => {
  async function started(outbox: Outbox, clock = testClock(), seed = 1): Promise<Tail> {
    const tail = createTail(outbox.storage, clock, true, seed);
    await tail.relay.start();
    return tail;
  }

  it('gives numbers, emits, and lets the next relay go on when it stops', async () => {
    const outbox = unsequencedOutbox();
    const tail = await started(outbox);
    expect(outbox.seqs()).toEqual([]);
    outbox.commit(creatorUpdated('pending'), creatorUpdated('approved'));
    await runUntilQuiet(tail);
    expect(tail.heard).toEqual(['1 creator.updated', '2 creator.updated']);
    expect(outbox.leaseOwner()).not.toBeNull();
    await tail.relay.stop();
    expect(outbox.leaseOwner()).toBeNull();
  });

  it('gives numbers without listeners here, because another instance may have them', async () => {
    const outbox = unsequencedOutbox();
    const tail = createTail(outbox.storage, testClock(), false);
    await tail.relay.start();
    outbox.commit(creatorUpdated('pending'));
    await runUntilQuiet(tail);
    expect(outbox.seqs()).toEqual([1]);
    expect(outbox.leaseOwner()).toBeNull();
  });

  it('leaves numbering to the holder of the lease, and takes over when that one is gone', async () => {
    const outbox = unsequencedOutbox();
    const clock = testClock();
    const holder = await started(outbox, clock, 1);
    const other = await started(outbox, clock, 1);
    await holder.relay.run();
    outbox.commit(creatorUpdated('pending'));
    await runUntilQuiet(other);
    expect(outbox.seqs()).toEqual([null]);
    const { transactions } = outbox.calls;
    await runUntilQuiet(other);
    expect(outbox.calls.transactions).toBe(transactions);
    await runUntilQuiet(holder);
    await runUntilQuiet(other);
    expect([holder.heard, other.heard]).toEqual([['1 creator.updated'], ['1 creator.updated']]);
    outbox.commit(creatorUpdated('approved'));
    clock.advance(SEQUENCER_LEASE_MS);
    await runUntilQuiet(other);
    expect(other.heard).toEqual(['1 creator.updated', '2 creator.updated']);
  });

  it('gets a new epoch only while no other instance numbers facts', async () => {
    const outbox = unsequencedOutbox();
    const clock = testClock();
    const holder = await started(outbox, clock, 1);
    await holder.relay.run();
    const { epoch } = holder.relay.position();
    const other = createTail(outbox.storage, clock, true, 2);
    await expect(other.relay.start({ newEpoch: true })).rejects.toThrow('while another instance runs');
    await holder.relay.stop();
    await other.relay.start({ newEpoch: true });
    expect(other.relay.position().epoch).not.toBe(epoch);
    expect(outbox.leaseOwner()).toBeNull();
    const later = await started(outbox, clock, 3);
    expect(later.relay.position()).toEqual(other.relay.position());
  });

  it('takes no lease while its clock is not known to be right', async () => {
    const outbox = unsequencedOutbox();
    let isSteady = false;
    const tail = createTail(outbox.storage, testClock(), true, 1, () => isSteady);
    await tail.relay.start();
    outbox.commit(creatorUpdated('pending'));
    await runUntilQuiet(tail);
    expect([outbox.leaseOwner(), outbox.seqs()]).toEqual([null, [null]]);
    isSteady = true;
    await runUntilQuiet(tail);
    expect(tail.heard).toEqual(['1 creator.updated']);
  });

  it('that waits for the lease by a clock a day ahead asks again when the clock is set right', async () => {
    const outbox = unsequencedOutbox();
    const clock = testClock();
    const holder = await started(outbox, clock);
    const other = await started(outbox, clock);
    clock.advance(86_400_000);
    await holder.relay.run();
    await other.relay.run();
    clock.advance(-86_400_000);
    const { transactions } = outbox.calls;
    await other.relay.run();
    expect(outbox.calls.transactions).toBeGreaterThan(transactions);
  });

  it('rejects while the storage is away, and loses nothing', async () => {
    const outbox = unsequencedOutbox();
    const tail = await started(outbox);
    outbox.commit(creatorUpdated('pending'));
    outbox.away = new Error('away');
    await expect(tail.relay.run()).rejects.toThrow('away');
    await tail.relay.stop();
    expect(tail.logged).toHaveLength(1);
    outbox.away = null;
    await runUntilQuiet(tail);
    expect(tail.heard).toEqual(['1 creator.updated']);
  });
});
