import { createGate } from '../../support/gate';
import { quiet } from '../../jobs/manual-timers';
import { KEY_POLL_MS } from '../../../src/live/feed/reader-keys';
import type { Storage } from '../../../src/ports/storage';
import {
  ALICE,
  createFeedWorld,
  CREATOR,
  insertKey,
  NotingReader,
  subscribe,
  type FeedWorld,
  type Instance,
} from './support';

function connect({ feed }: Instance) {
  const reader = new NotingReader();
  return { reader, connection: feed.connect(reader) };
}

async function reading(instance: Instance, channels: string[], since?: { epoch: string; seq: number }) {
  const made = connect(instance);
  await subscribe(made.connection, made.reader, channels, since);
  return made;
}

const seqsAfter = (begin: number, count: number): number[] =>
  Array.from({ length: count }, (_, index) => begin + index + 1);

describe('a reader of the feed', () => {
  let world: FeedWorld;
  let instance: Instance;
  beforeEach(async () => {
    world = await createFeedWorld();
    instance = await world.instance();
  });

  it('gets one message of a fact on each of its channels, and none of other channels', async () => {
    const { reader } = await reading(instance, ['trades', 'market:1']);
    const begin = reader.subscribed().seq;
    await world.commit(world.trade(1), world.trade(2), world.opened(1), world.balance());
    await instance.run();
    expect(reader.kinds()[0]).toBe('subscribed');
    expect(reader.messages().map(({ channel, event, seq }) => `${seq - begin} ${channel} ${event}`)).toEqual([
      '1 trades trade',
      '1 market:1 trade',
      '2 trades trade',
      '3 market:1 market.created',
    ]);
  });

  it('is told the seq of the message before on the channel', async () => {
    const { reader } = await reading(instance, ['trades', 'market:1']);
    const begin = reader.subscribed().seq;
    await world.commit(world.trade(1), world.trade(2), world.trade(1));
    await instance.run();
    await world.commit(world.trade(1));
    await instance.run();
    const lines = reader.messages().map(({ channel, seq, prev }) => [channel, seq - begin, prev]);
    expect(lines).toEqual([
      ['trades', 1, null],
      ['market:1', 1, null],
      ['trades', 2, begin + 1],
      ['trades', 3, begin + 2],
      ['market:1', 3, begin + 1],
      ['trades', 4, begin + 3],
      ['market:1', 4, begin + 3],
    ]);
  });

  it('keeps its chain when its set of channels changes', async () => {
    const { reader, connection } = await reading(instance, ['trades']);
    await world.commit(world.trade(1));
    await instance.run();
    await subscribe(connection, reader, ['prices']);
    await world.commit(world.trade(1));
    await instance.run();
    connection.unsubscribe(['prices']);
    await world.commit(world.trade(1));
    await instance.run();
    const [first, second, third] = reader.messages().filter(({ channel }) => channel === 'trades');
    expect([second?.prev, third?.prev]).toEqual([first?.seq, second?.seq]);
    expect(reader.messages().filter(({ channel }) => channel === 'prices')).toHaveLength(1);
  });

  it('is told a prev that it can know although other readers came before it', async () => {
    await reading(instance, ['trades']);
    await world.commit(world.trade(1));
    await instance.run();
    const late = await reading(instance, ['trades', 'prices']);
    await world.commit(world.trade(1));
    await instance.run();
    const begin = late.reader.subscribed().seq;
    expect(late.reader.lines()).toEqual([`trades ${begin + 1}<${begin}`, `prices ${begin + 1}<${begin}`]);
  });

  it('begins a market with its state, whose seq and marketSeq say what it contains', async () => {
    await world.world.fund(ALICE, 100n);
    await world.world.trade(1, ALICE, 'YES', 1_000_000n);
    const { reader } = await reading(instance, ['market:1', 'market:2', 'trades']);
    const { seq, snapshot } = reader.subscribed();
    expect(seq).toBe(await world.head());
    expect(snapshot).toMatchObject({
      seq,
      markets: [
        { id: 1, question: 'First?', marketSeq: 2 },
        { id: 2, question: 'Second?', marketSeq: 1 },
      ],
    });
    await instance.run();
    // The snapshot contains the trade, so the reader gets no message of the trade.
    expect(reader.messages()).toEqual([]);
  });

  it('misses nothing that is handed out while its snapshot is read', async () => {
    const held = createGate();
    const slow: Storage = {
      ...world.storage,
      snapshot: async (work, options) => {
        const answer = await world.storage.snapshot(work, options);
        await held.opened;
        return answer;
      },
    };
    const own = await world.instance(slow);
    const { reader, connection } = connect(own);
    const subscribed = subscribe(connection, reader, ['market:1', 'trades']);
    await quiet();
    await world.commit(world.trade(1), world.trade(2));
    await own.run();
    held.open();
    await subscribed;
    await quiet();
    await world.commit(world.trade(1));
    await own.run();
    const begin = reader.subscribed().seq;
    expect(reader.lines()).toEqual([
      `trades ${begin + 1}<null`,
      `market:1 ${begin + 1}<null`,
      `trades ${begin + 2}<${begin + 1}`,
      `trades ${begin + 3}<${begin + 2}`,
      `market:1 ${begin + 3}<${begin + 1}`,
    ]);
  });

  it('refuses a subscription as a whole', async () => {
    const { reader, connection } = connect(instance);
    const refused = async (channels: string[], conflate = false): Promise<unknown> =>
      subscribe(connection, reader, channels, null, conflate).catch(({ code }: { code: string }) => code);
    expect(await refused(['trades', 'nonsense'])).toBe('VALIDATION_ERROR');
    expect(await refused(['trades', 'market:01'])).toBe('VALIDATION_ERROR');
    expect(await refused(['trades', 'market:99'])).toBe('MARKET_NOT_FOUND');
    expect(await refused(['trades', 'account'])).toBe('UNAUTHORIZED');
    expect(await refused(['trades'], true)).toBe('VALIDATION_ERROR');
    const many = Array.from({ length: 1_001 }, (_, index) => `market:${index + 1}`);
    expect(await refused(many)).toBe('SUBSCRIPTION_LIMIT');
    connection.authenticate(await insertKey(world.storage, ALICE, ['trades:create']));
    expect(await refused(['trades', 'account'])).toBe('INSUFFICIENT_SCOPE');
    await world.commit(world.trade(1));
    await instance.run();
    expect(reader.told).toEqual([]);
  });

  it('gets nothing after it has gone', async () => {
    const { reader, connection } = await reading(instance, ['trades']);
    connection.close();
    await world.commit(world.trade(1));
    await instance.run();
    expect(reader.messages()).toEqual([]);
    expect(instance.feed.figures()).toEqual({ readers: 0, authenticated: 0, channels: 0, catchingUp: 0 });
  });

  it('does not affect the other readers when it fails', async () => {
    const broken = new NotingReader();
    broken.deliver = () => {
      throw new Error('broken');
    };
    await subscribe(instance.feed.connect(broken), broken, ['trades']);
    const { reader } = await reading(instance, ['trades']);
    await world.commit(world.trade(1));
    await instance.run();
    expect(broken.kinds()).toEqual(['subscribed', 'end']);
    expect(reader.messages()).toHaveLength(1);
  });

  it('costs no reads of facts while there is none', async () => {
    let pages = 0;
    const counting: Storage = {
      ...world.storage,
      read: (work) => {
        pages += 1;
        return world.storage.read(work);
      },
    };
    const own = await world.instance(counting);
    pages = 0;
    await world.commit(world.trade(1));
    await own.run();
    // `run` reads only the head, because there are no readers for which it would read facts.
    expect(pages).toBe(1);
    expect(own.feed.position().seq).toBe(await world.head());
  });
});

/** A page from the storage ends at a multiple of 128. */
const firstRead = (begin: number): number => 128 - (begin % 128);

const MISSED = 600;

function heldTurns({ timers }: Instance) {
  let pages = 0;
  const waiting: (() => void)[] = [];
  timers.yieldTurn = () => {
    pages += 1;
    return new Promise((resolve) => waiting.push(resolve));
  };
  return {
    pages: () => pages,
    async nextTurn(): Promise<void> {
      for (const resolve of waiting.splice(0)) resolve();
      await quiet();
    },
  };
}

describe('readers that get their messages in several turns of the event loop', () => {
  let world: FeedWorld;
  let instance: Instance;
  let turns: ReturnType<typeof heldTurns>;
  beforeEach(async () => {
    world = await createFeedWorld();
    instance = await world.instance(world.storage, 1);
    turns = heldTurns(instance);
  });

  async function firstTurn(count: number) {
    const readers: Awaited<ReturnType<typeof reading>>[] = [];
    for (let left = count; left > 0; left -= 1) readers.push(await reading(instance, ['trades']));
    await world.commit(world.trade(1));
    const running = instance.run();
    await quiet();
    return {
      readers,
      told: () => readers.map(({ reader }) => reader.messages().length),
      async lastTurn(): Promise<void> {
        for (let left = count; left > 0; left -= 1) await turns.nextTurn();
        await running;
      },
    };
  }

  it('get each message once, one after another', async () => {
    const { told, lastTurn } = await firstTurn(3);
    expect(told()).toEqual([1, 0, 0]);
    await turns.nextTurn();
    expect(told()).toEqual([1, 1, 0]);
    await lastTurn();
    expect(told()).toEqual([1, 1, 1]);
  });

  it('get what waits before they are told anything else', async () => {
    const { readers, told, lastTurn } = await firstTurn(4);
    const [, leaving, joining, ending] = readers;
    if (!leaving || !joining || !ending) throw new Error('there are four readers');
    leaving.connection.unsubscribe(['trades']);
    await subscribe(joining.connection, joining.reader, ['prices']);
    ending.connection.close();
    expect(told()).toEqual([1, 1, 1, 0]);
    expect(joining.reader.kinds()).toEqual(['subscribed', 'message', 'subscribed']);
    await lastTurn();
    expect(told()).toEqual([1, 1, 1, 0]);
  });

  it('begin after the page if they join between two turns', async () => {
    const { lastTurn } = await firstTurn(2);
    const { reader } = await reading(instance, ['trades']);
    expect(reader.subscribed().seq).toBe(await world.head());
    await lastTurn();
    expect(reader.messages()).toEqual([]);
  });

  it('get messages of accounts at once, because their keys were just confirmed', async () => {
    await reading(instance, ['trades']);
    const { reader, connection } = connect(instance);
    connection.authenticate(await insertKey(world.storage));
    await subscribe(connection, reader, ['account', 'trades']);
    await world.commit(world.trade(1));
    const running = instance.run();
    await quiet();
    expect(reader.messages()).toHaveLength(2);
    await turns.nextTurn();
    await running;
  });
});

describe('a reader that resumes', () => {
  let world: FeedWorld;
  let instance: Instance;
  let epoch: string;
  beforeEach(async () => {
    world = await createFeedWorld();
    instance = await world.instance();
    epoch = await world.epoch();
  });

  async function trades(count: number): Promise<number> {
    const begin = await world.head();
    await world.commit(...Array.from({ length: count }, () => world.trade(1)));
    return begin;
  }

  async function paused(begin: number) {
    const made = connect(instance);
    made.reader.pause();
    await subscribe(made.connection, made.reader, ['trades'], { epoch, seq: begin });
    await quiet();
    return made;
  }

  async function missedMarkets(count: number) {
    const channels = [];
    for (let index = 0; index < count; index += 1)
      channels.push(`market:${await world.world.open(`Market ${index}?`)}`);
    await instance.run();
    await reading(instance, ['markets']);
    const begin = await trades(MISSED);
    await instance.run();
    return { channels, begin };
  }

  it('gets what it missed from the storage, then what is new, as one chain', async () => {
    const begin = await trades(700);
    await instance.run();
    const { reader } = await reading(instance, ['trades'], { epoch, seq: begin });
    await quiet();
    await world.commit(world.trade(1));
    await instance.run();
    await quiet();
    expect(reader.subscribed()).toEqual({
      channels: ['trades'],
      seq: begin,
      snapshot: null,
      isResynced: false,
    });
    expect(reader.messages().map(({ seq }) => seq)).toEqual(seqsAfter(begin, 701));
    expect(reader.messages().map(({ prev }) => prev)).toEqual([null, ...seqsAfter(begin, 700)]);
  });

  it('gets what it missed from memory when it was away for a moment', async () => {
    await reading(instance, ['markets']);
    const begin = await world.head();
    await world.commit(world.trade(1), world.trade(2));
    await instance.run();
    const rows = jest.spyOn(world.storage, 'read');
    const { reader } = await reading(instance, ['trades'], { epoch, seq: begin });
    await quiet();
    expect(reader.lines()).toEqual([`trades ${begin + 1}<null`, `trades ${begin + 2}<${begin + 1}`]);
    expect(rows).not.toHaveBeenCalled();
    rows.mockRestore();
  });

  it('shares its reads of the storage with others that were cut off with it', async () => {
    const begin = await trades(600);
    const fresh = await world.instance();
    const rows = jest.spyOn(world.storage, 'read');
    const readers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => reading(fresh, ['trades'], { epoch, seq: begin + index })),
    );
    await quiet();
    for (const [index, { reader }] of readers.entries())
      expect(reader.messages().map(({ seq }) => seq)).toEqual(seqsAfter(begin + index, 600 - index));
    // Each of the 20 readers has at most two reads of its own. From the next multiple of 128 on they share their reads.
    expect(rows.mock.calls.length).toBeLessThan(2 * 20 + 6);
    rows.mockRestore();
  });

  it('shares the look at its position with others that resume there at the same time', async () => {
    const begin = await trades(MISSED);
    const fresh = await world.instance();
    const reads = jest.spyOn(world.storage, 'read');
    const readers = await Promise.all(
      Array.from({ length: 20 }, () => reading(fresh, ['trades'], { epoch, seq: begin })),
    );
    await quiet();
    for (const { reader } of readers)
      expect(reader.messages().map(({ seq }) => seq)).toEqual(seqsAfter(begin, MISSED));
    // One read of the position for all readers, and one read for each page.
    expect(reads.mock.calls.length).toBeLessThan(1 + 6);
    reads.mockRestore();
  });

  it('begins at once while another connection with many subscriptions catches up', async () => {
    const { channels, begin } = await missedMarkets(40);
    const held = createGate();
    let pages = 0;
    const slow: Storage = {
      ...world.storage,
      read: async (work) => {
        const answer = await world.storage.read(work);
        if (!Array.isArray(answer) || answer.length < 2) return answer;
        pages += 1;
        await held.opened;
        return answer;
      },
    };
    const fresh = await world.instance(slow);
    const other = connect(fresh);
    for (const [index, channel] of channels.entries())
      await subscribe(other.connection, other.reader, [channel], { epoch, seq: begin + index });
    await quiet();
    expect(pages).toBe(1);
    const late = connect(fresh);
    const subscribed = subscribe(late.connection, late.reader, ['market:1']);
    await quiet();
    expect(late.reader.kinds()).toEqual(['subscribed']);
    await subscribed;
    held.open();
  });

  it('gets a page for each page of another connection, however many subscriptions that one has', async () => {
    const { channels, begin } = await missedMarkets(40);
    const fresh = await world.instance();
    const { pages, nextTurn } = heldTurns(fresh);
    const other = connect(fresh);
    for (const channel of channels)
      await subscribe(other.connection, other.reader, [channel], { epoch, seq: begin });
    const { reader } = await reading(fresh, ['trades'], { epoch, seq: begin });
    const rows = jest.spyOn(world.storage, 'read');
    let turns = 0;
    for (; turns < 20 && reader.messages().length < MISSED; turns += 1) await nextTurn();
    expect(reader.messages()).toHaveLength(MISSED);
    expect(turns).toBeLessThan(7);
    expect(pages()).toBeLessThan(2 * 7);
    fresh.timers.yieldTurn = () => Promise.resolve();
    await nextTurn();
    while (fresh.feed.figures().catchingUp > 0) await quiet();
    // Each page is read and decoded once for all subscriptions.
    expect(rows.mock.calls.length).toBeLessThan(7);
    rows.mockRestore();
  });

  async function slowPages(): Promise<Instance> {
    const { clock } = world.world;
    return world.instance({
      ...world.storage,
      read: async (work) => {
        const answer = await world.storage.read(work);
        if (Array.isArray(answer) && answer.length > 1) clock.advance(20);
        return answer;
      },
    });
  }

  it('reads on without a pause, so that it overtakes a busy market', async () => {
    const begin = await trades(3_000);
    const { reader } = await reading(await slowPages(), ['trades'], { epoch, seq: begin });
    await quiet();
    await quiet();
    expect(reader.messages()).toHaveLength(3_000);
  });

  it('pauses after each page while its connection has many subscriptions that catch up', async () => {
    const { channels, begin } = await missedMarkets(20);
    const slow = await slowPages();
    const { connection, reader } = connect(slow);
    for (const [index, channel] of channels.entries())
      await subscribe(connection, reader, [channel], { epoch, seq: begin + index });
    await quiet();
    let pauses = 0;
    for (; slow.timers.delays().includes(40); pauses += 1) await slow.timers.fire(40);
    await quiet();
    expect(slow.feed.figures().catchingUp).toBe(0);
    expect(pauses).toBeGreaterThan(5);
  });

  it.each(['the storage', 'memory'])(
    'waits for its turn of the event loop for a page from %s',
    async (from) => {
      const { begin } = await missedMarkets(1);
      const own = from === 'memory' ? instance : await world.instance();
      const { nextTurn } = heldTurns(own);
      const starts = Array.from({ length: 10 }, () => reading(own, ['trades'], { epoch, seq: begin }));
      const made = await Promise.all(starts);
      const toldTo = () => made.filter(({ reader }) => reader.messages().length > 0).length;
      await quiet();
      expect(toldTo()).toBe(4);
      await nextTurn();
      expect(toldTo()).toBe(8);
      await nextTurn();
      expect(toldTo()).toBe(10);
    },
  );

  it('may be ahead of an instance that has not read on yet', async () => {
    await world.commit(world.trade(1), world.trade(1));
    const head = await world.head();
    const { reader } = await reading(instance, ['trades'], { epoch, seq: head - 1 });
    await instance.run();
    await quiet();
    expect(reader.kinds()).toEqual(['subscribed', 'message']);
    expect(reader.lines()).toEqual([`trades ${head}<null`]);
  });

  it.each([
    ['EPOCH', (seq: number) => ({ epoch: 'another', seq })],
    ['SEQ_AHEAD', (seq: number) => ({ epoch: '', seq: seq + 1 })],
  ])('begins anew with reason %s', async (reason, since) => {
    await world.commit(world.trade(1));
    const seq = await world.head();
    const given = since(seq);
    const { reader } = await reading(instance, ['market:1'], { epoch: given.epoch || epoch, seq: given.seq });
    await instance.run();
    const [subscribed, resync] = reader.told;
    expect(subscribed).toEqual({
      kind: 'subscribed',
      subscribed: { channels: ['market:1'], seq, snapshot: null, isResynced: true },
    });
    expect(resync).toMatchObject({
      kind: 'resync',
      resync: { channels: ['market:1'], reason, epoch, seq, snapshot: { seq, markets: [{ id: 1 }] } },
    });
    expect(reader.messages()).toEqual([]);
  });

  it('begins anew when facts that it missed were removed, and is told so', async () => {
    const begin = await world.head();
    await world.commit(world.trade(1), world.trade(1));
    world.world.clock.advance(1_000);
    await world.commit(world.trade(1));
    await instance.run();
    const before = world.world.clock.now();
    await world.storage.transaction((tx) => tx.events.deleteBefore(before, 100));
    const lost = await reading(instance, ['trades'], { epoch, seq: begin });
    expect(lost.reader.kinds()).toEqual(['subscribed', 'resync']);
    const kept = await reading(instance, ['trades'], { epoch, seq: begin + 2 });
    await quiet();
    expect(kept.reader.kinds()).toEqual(['subscribed', 'message']);
  });

  it('begins anew when facts are removed while it catches up', async () => {
    const begin = await trades(300);
    world.world.clock.advance(1_000);
    await world.commit(world.trade(1));
    await instance.run();
    const { reader } = await paused(begin);
    await world.storage.transaction((tx) => tx.events.deleteBefore(world.world.clock.now(), 1_000));
    reader.resume();
    await quiet();
    expect(reader.messages().at(-1)?.seq).toBe(begin + firstRead(begin));
    expect(reader.told.at(-1)).toMatchObject({
      kind: 'resync',
      resync: { reason: 'RETENTION', channels: ['trades'] },
    });
    await world.commit(world.trade(1));
    await instance.run();
    expect(reader.messages().at(-1)?.seq).toBe(await world.head());
  });

  it('is read for at its own pace, while others get what is new', async () => {
    const begin = await trades(600);
    await instance.run();
    const { reader } = await paused(begin);
    const other = await reading(instance, ['trades']);
    await world.commit(world.trade(1));
    await instance.run();
    await quiet();
    expect(reader.messages()).toHaveLength(firstRead(begin));
    expect(other.reader.messages()).toHaveLength(1);
    expect(instance.feed.figures().catchingUp).toBe(1);
    reader.resume();
    for (let turn = 0; turn < 5; turn += 1) await quiet();
    expect(reader.messages().map(({ seq }) => seq)).toEqual(seqsAfter(begin, 601));
  });

  it('tells the others no wrong prev after it has left a channel in between', async () => {
    const begin = await trades(MISSED);
    const fresh = await world.instance();
    const other = await reading(fresh, ['trades']);
    const made = connect(fresh);
    made.reader.pause();
    await subscribe(made.connection, made.reader, ['trades', 'market:2'], { epoch, seq: begin });
    await quiet();
    expect(made.reader.messages().length).toBeLessThan(MISSED);
    made.connection.unsubscribe(['trades']);
    made.reader.resume();
    await quiet();
    await world.commit(world.trade(1));
    await fresh.run();
    expect(other.reader.messages().map(({ prev }) => prev)).toEqual([null]);
  });

  it('stops catching up when it has gone', async () => {
    const begin = await trades(600);
    await instance.run();
    const { reader, connection } = await paused(begin);
    const reads = jest.spyOn(world.storage, 'read');
    connection.close();
    reader.resume();
    await quiet();
    expect(reads).not.toHaveBeenCalled();
    reads.mockRestore();
    expect(reader.messages()).toHaveLength(firstRead(begin));
  });

  it('waits for a storage that is away, and then misses nothing', async () => {
    let away = false;
    const faulty: Storage = {
      ...world.storage,
      read: (work) => (away ? Promise.reject(new Error('away')) : world.storage.read(work)),
    };
    const own = await world.instance(faulty);
    const begin = await trades(200);
    await own.run();
    const { reader, connection } = connect(own);
    reader.pause();
    await subscribe(connection, reader, ['trades'], { epoch, seq: begin });
    await quiet();
    away = true;
    reader.resume();
    await quiet();
    const late = connect(own);
    await expect(subscribe(late.connection, late.reader, ['trades'], { epoch, seq: begin })).rejects.toThrow(
      'away',
    );
    expect(late.reader.told).toEqual([]);
    away = false;
    await own.timers.fire(1_000);
    expect(reader.messages()).toHaveLength(200);
  });
});

describe('the account of a reader', () => {
  let world: FeedWorld;
  let instance: Instance;
  beforeEach(async () => {
    world = await createFeedWorld();
    instance = await world.instance();
  });

  async function authenticated(own: Instance, channels = ['account'], wallet = ALICE) {
    const made = connect(own);
    const key = await insertKey(world.storage, wallet);
    made.connection.authenticate(key);
    await subscribe(made.connection, made.reader, channels);
    return { ...made, key };
  }
  const revoke = (id: number): Promise<unknown> =>
    world.storage.transaction((tx) => tx.apiKeys.revoke(id, ALICE, 1));

  it('is told to its own wallet only, under the name account', async () => {
    const alice = await authenticated(instance);
    const creator = await authenticated(instance, ['account'], CREATOR);
    expect(alice.reader.subscribed().snapshot).toMatchObject({
      account: { balance: 0, reserved: 0, available: 0 },
      markets: [],
    });
    await world.commit(world.trade(1), world.balance());
    await instance.run();
    expect(alice.reader.messages().map(({ channel, event }) => `${channel} ${event}`)).toEqual([
      'account account.trade',
      'account account.balance',
    ]);
    expect(creator.reader.messages().map(({ event, data }) => `${event} ${String(data['reason'])}`)).toEqual([
      'account.balance fee',
    ]);
  });

  it('is told nothing after the key was revoked on another instance', async () => {
    const { reader, key } = await authenticated(instance, ['account', 'trades']);
    await revoke(key.id);
    await world.commit(world.trade(1));
    await instance.run();
    expect(reader.messages()).toEqual([]);
    expect(reader.told.at(-1)).toEqual({ kind: 'end', reason: 'key-revoked' });
  });

  it('ends within a second of the revocation elsewhere, although nothing happens', async () => {
    const { reader, key } = await authenticated(instance, []);
    await revoke(key.id);
    expect(KEY_POLL_MS).toBeLessThanOrEqual(500);
    await instance.timers.fire(KEY_POLL_MS);
    expect(reader.told.at(-1)).toEqual({ kind: 'end', reason: 'key-revoked' });
    expect(instance.timers.delays()).toEqual([]);
  });

  it('ends at once where the key is revoked', async () => {
    const { reader, key } = await authenticated(instance);
    const other = await authenticated(instance);
    instance.feed.keyRevoked(key.id);
    expect(reader.told.at(-1)).toEqual({ kind: 'end', reason: 'key-revoked' });
    expect(other.connection.isOpen).toBe(true);
  });

  it('is unsubscribed when the key loses the scope, and the other channels go on', async () => {
    const { reader, key } = await authenticated(instance, ['account', 'trades']);
    await world.storage.transaction((tx) => tx.apiKeys.update(key.id, { scopes: ['trades:create'] }));
    await world.commit(world.trade(1));
    await instance.run();
    expect(reader.told.at(-2)).toEqual({ kind: 'scope-lost', channels: ['account'] });
    expect(reader.messages().map(({ channel }) => channel)).toEqual(['trades']);
  });

  it('waits while it is not known which keys are active, and misses nothing', async () => {
    let away = false;
    const faulty: Storage = {
      ...world.storage,
      read: (work) =>
        world.storage.read((reader) =>
          work({
            ...reader,
            events: reader.events,
            apiKeys: {
              ...reader.apiKeys,
              findActiveByHashes: (hashes) =>
                away ? Promise.reject(new Error('away')) : reader.apiKeys.findActiveByHashes(hashes),
            },
          }),
        ),
    };
    const own = await world.instance(faulty);
    const { reader } = await authenticated(own, ['account', 'trades']);
    away = true;
    await world.commit(world.trade(1), world.trade(2));
    await expect(own.run()).rejects.toThrow('away');
    await own.timers.fire(KEY_POLL_MS);
    expect(reader.messages()).toEqual([]);
    expect(reader.kinds()).not.toContain('end');
    away = false;
    await own.run();
    expect(reader.messages().map(({ channel }) => channel)).toEqual([
      'trades',
      'account',
      'trades',
      'account',
    ]);
  });

  it('is not told what it missed when its key was revoked meanwhile', async () => {
    const made = connect(instance);
    const key = await insertKey(world.storage);
    const begin = await world.head();
    await world.commit(world.balance());
    await instance.run();
    await revoke(key.id);
    made.connection.authenticate(key);
    await subscribe(made.connection, made.reader, ['account'], { epoch: await world.epoch(), seq: begin });
    await quiet();
    expect(made.reader.kinds()).toEqual(['subscribed', 'end']);
  });
});
