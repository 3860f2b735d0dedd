/**
 * Gives a reader the facts that its subscription has missed, at the pace of the reader. Then the subscription
 * joins the live channels.
 */
import { BoundedMap } from '../../domain/bounded-map';
import type { ApiKey } from '../../domain/types';
import { channelName, isAccountChannel, marketOfChannel, type ChannelKey } from '../../events/channels';
import type { Logger } from '../../ports/logger';
import type { Storage } from '../../ports/storage';
import type { Timers } from '../../ports/timers';
import type { EventPosition } from '../../domain/event-position';
import type { Beginnings } from './beginning';
import type { Connection } from './connection';
import { activeKeys } from './key-check';
import { feedBatch, feedFact, FeedMessage, type FeedFact } from './message';
import { withoutGap } from './without-gap';
import type { RecentFacts } from './recent-facts';
import { createSlots, type Slots } from './slots';

/**
 * How many facts a reader gets at once. Their messages stay far below the limit of bytes that may wait for a
 * reader.
 */
const CHUNK = 128;
/** How many pages that were read from the storage are kept for other readers. They take about 4 MB. */
const MOST_KEPT_READS = 32;
/**
 * How many pages from the storage are in work at a time, and how many from memory. The number is small,
 * because requests of the API would wait behind them.
 */
const MOST_PAGES = 4;
/** How long after a failure of the storage the missed facts are read again. */
const RETRY_MS = 1_000;

export interface Subscription {
  /** The channels that are catching up. A channel leaves this set when it is unsubscribed. */
  channels: Set<ChannelKey>;
  conflate: boolean;
  /** The reader has got the facts up to this `seq`. */
  at: number;
  /** The `seq` of the last message that the reader got on each channel. */
  lastSeqs: Map<ChannelKey, number>;
}

export interface CatchUps {
  /**
   * Gives the reader what the subscription has missed, and then lets the subscription join. A subscription
   * that has missed nothing joins at once.
   */
  follow(connection: Connection, subscription: Subscription): void;
}

export interface CatchUpParts {
  storage: Storage;
  logger: Logger;
  timers: Timers;
  recent: RecentFacts;
  beginnings: Beginnings;
  position(): EventPosition;
  /** Resolves when the position has moved on. */
  advanced(): Promise<void>;
}

export function createCatchUps(parts: CatchUpParts): CatchUps {
  const { storage, logger, timers, recent, beginnings, position, advanced } = parts;
  // A page that is kept in memory does not wait for a slow storage.
  const keptPages = createSlots(MOST_PAGES);
  const storedPages = createSlots(MOST_PAGES);
  const turns = new WeakMap<Connection, Slots>();
  const reads = new BoundedMap<number, Promise<FeedFact[] | null>>(MOST_KEPT_READS);

  async function follow(connection: Connection, subscription: Subscription): Promise<void> {
    while (isWanted(connection, subscription)) {
      const { seq } = position();
      // No `await` may stand between this comparison and the join, because a page that is handed out in
      // between would be lost.
      if (subscription.at === seq) return connection.join(subscription);
      try {
        if (subscription.at > seq) await advanced();
        else await turnsOf(connection).run(() => step(connection, subscription));
      } catch (err) {
        logger.warn(
          { err, at: subscription.at },
          'what a reader missed could not be read; it is tried again',
        );
        await new Promise<void>((resolve) => void timers.after(RETRY_MS, resolve));
      }
    }
  }

  /**
   * A connection gets one page at a time, so that a connection with many catch-ups takes no more than another
   * one.
   */
  function turnsOf(connection: Connection): Slots {
    const own = turns.get(connection) ?? createSlots(1);
    turns.set(connection, own);
    return own;
  }

  async function step(connection: Connection, subscription: Subscription): Promise<void> {
    // The reader may have gone while its subscription waited for a turn.
    if (!isWanted(connection, subscription)) return;
    const pages = recent.after(subscription.at, 1) === null ? storedPages : keptPages;
    await pages.run(async () => {
      await page(connection, subscription);
      // Without this, pages of a storage that answers at once would keep the event loop from other work.
      await timers.yieldTurn();
    });
    await connection.reader.ready();
  }

  async function page(connection: Connection, subscription: Subscription): Promise<void> {
    const { at } = subscription;
    const facts = recent.after(at, CHUNK) ?? (await storedFacts(at));
    if (facts === null) return resync(connection, subscription);
    if (isOfAccount(subscription, facts) && !(await mayReadAccount(connection))) return;
    tell(connection, subscription, facts);
  }

  /** `null` when facts after `at` were removed because of their age. */
  async function storedFacts(at: number): Promise<readonly FeedFact[] | null> {
    const facts = await (reads.get(at) ?? readFacts(at));
    const { seq } = position();
    const last = facts?.at(-1)?.seq ?? seq;
    // This read is not kept, because a later read of the same page finds more facts.
    if (last < seq && last % CHUNK !== 0) reads.delete(at);
    // Facts after the position come to the reader live.
    return facts?.filter((fact) => fact.seq <= seq) ?? null;
  }

  /**
   * After an instance was restarted, all its readers miss the same facts. Every read ends at a multiple of
   * `CHUNK`, so that readers share all reads but their first one.
   */
  function readFacts(at: number): Promise<FeedFact[] | null> {
    const limit = CHUNK - (at % CHUNK);
    const read = storage
      .read(({ events }) => events.after(at, limit))
      .then((rows) => {
        if (rows.length === 0) throw new Error('The storage does not show facts that it had');
        const numbered = withoutGap(rows, at);
        if (numbered === null) reads.delete(at);
        return numbered?.map((row) => feedFact(row, logger)) ?? null;
      });
    reads.set(at, read);
    read.catch(() => reads.delete(at));
    return read;
  }

  /**
   * Sets the reader's rights to the rights that its key has now. Resolves with whether the connection is
   * still open. Rejects when the rights are not known.
   */
  async function mayReadAccount(connection: Connection): Promise<boolean> {
    const { key } = connection;
    if (key === null) return false;
    const active = await activeKeys(storage, [key]);
    connection.applyKey(active.get(key.id) ?? null);
    return connection.isOpen;
  }

  async function resync(connection: Connection, subscription: Subscription): Promise<void> {
    const { snapshot, at, key } = await beginnings.anew(contentsOf(subscription, connection.key));
    if (!connection.isOpen) return;
    if (key !== undefined) connection.applyKey(key);
    if (!connection.isOpen || snapshot === null) return;
    subscription.at = at;
    subscription.lastSeqs.clear();
    const channels = [...subscription.channels].map(channelName);
    if (!subscription.channels.size) return;
    const { epoch } = position();
    connection.reader.resync({ channels, reason: 'RETENTION', epoch, seq: at, snapshot });
  }

  return { follow: (connection, subscription) => void follow(connection, subscription) };
}

function isWanted({ isOpen }: Connection, { channels }: Subscription): boolean {
  return isOpen && channels.size > 0;
}

function tell(connection: Connection, subscription: Subscription, facts: readonly FeedFact[]): void {
  const messages: FeedMessage[] = [];
  const { channels, lastSeqs } = subscription;
  for (const fact of facts) {
    for (const message of fact.messages) {
      if (!channels.has(message.channel)) continue;
      messages.push(new FeedMessage(fact, message, lastSeqs.get(message.channel) ?? null));
      lastSeqs.set(message.channel, fact.seq);
    }
    subscription.at = fact.seq;
  }
  if (messages.length > 0) connection.deliver(feedBatch(messages, subscription.conflate));
}

function isOfAccount({ channels }: Subscription, facts: readonly FeedFact[]): boolean {
  return facts.some(({ messages }) =>
    messages.some(({ channel }) => isAccountChannel(channel) && channels.has(channel)),
  );
}

function contentsOf({ channels }: Subscription, key: ApiKey | null) {
  const all = [...channels];
  const marketIds = all.map(marketOfChannel).filter((id) => id !== null);
  return { marketIds, accountOf: all.some(isAccountChannel) ? key : null };
}
