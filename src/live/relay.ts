/**
 * Numbers committed facts and carries them to the emitter and to the feed of this instance: in order, from
 * `start` on and while there are listeners or readers. Every instance runs a relay that follows the whole
 * sequence. On a storage that does not number facts as it appends them, the instance with the lease numbers
 * them. docs/embedding.md says what listeners may rely on.
 */
import type { EventPosition } from '../domain/event-position';
import type { AnyPublishedEvent, StoredFact } from '../domain/events';
import { isAhead } from '../domain/instants';
import type { Logger } from '../ports/logger';
import type { Context } from '../usecases/context';
import { EPOCH_SETTING } from '../usecases/facts/read-facts';
import { newLeaseOwner } from '../usecases/lease-owner';
import { eventsOfFact } from '../events/expansion';
import type { Emitter } from './emitter';
import type { FeedIntake } from './feed/hub';

export const RELAY_LEASE = 'event-relay';
export const RELAY_LEASE_MS = 10_000;
/** After an instance has found the lease taken, it waits this long before it asks again. */
const LEASE_RETRY_MS = 1_000;
const PAGE = 1_000;
/**
 * The relay finds facts that another instance has committed by a poll. It polls more often while the feed has
 * readers.
 */
const POLL_MS = 1_000;
const FEED_POLL_MS = 200;
/**
 * With readers of the feed a page is small, so that the messages of one page stay far below the limit of
 * bytes that may wait for a reader.
 */
const FEED_PAGE = 250;

export interface Relay {
  /** Reads the newest number. Later events are emitted. The storage must be open. */
  start(): Promise<void>;
  /** Releases the lease. Called after the last `run` has ended. */
  stop(): Promise<void>;
  /** A hint that there may be facts to number or to emit. */
  wake(): void;
  /** Registers the one listener of `wake`: the loop that calls `run`. */
  onWake(listener: () => void): void;
  /** How long the next `run` may wait if no hint comes. */
  pollMs(): number;
  /**
   * Numbers facts and emits events, of at most one page. Resolves with whether more may wait. Never called
   * twice at a time.
   */
  run(): Promise<boolean>;
  /**
   * The newest fact whose events this instance has emitted, or skipped because it had neither listeners nor
   * readers.
   */
  position(): EventPosition;
  /**
   * Calls `onNews` after facts have got their numbers, until the returned function is called. The call is a
   * hint: the follower reads the facts itself. While there are followers, the relay follows every commit.
   */
  follow(onNews: () => void): () => void;
}

type RelayContext = Pick<Context, 'storage' | 'clock' | 'clockIsSteady' | 'random' | 'logger'>;

export function createRelay(context: RelayContext, emitter: Emitter, feed: FeedIntake): Relay {
  const { storage, random, logger } = context;
  const sequencer = createSequencer(context, newLeaseOwner(random));
  let position: EventPosition = { epoch: '', seq: 0 };
  let wakeUp = (): void => undefined;
  /** Whether the last page was as large as it may be. */
  let wasFull = false;
  const followers = new Set<{ onNews: () => void }>();
  const isRead = (): boolean => emitter.hasListeners() || feed.hasReaders();
  const isFollowed = (): boolean => isRead() || followers.size > 0;

  async function emitPage(): Promise<boolean> {
    // After a full page so many facts wait that there is no need to collect more by a pause.
    if (!wasFull) await feed.rest();
    const limit = feed.hasReaders() ? FEED_PAGE : PAGE;
    const page = await storage.read((reader) => reader.events.after(position.seq, limit));
    // This comes first, because it may reject, and then the page is read again.
    await feed.handOut(page);
    for (const row of page) {
      for (const event of expandOrSkip(row, logger)) emitter.publish(event);
      if (row.seq !== null) position = { ...position, seq: row.seq };
    }
    wasFull = page.length === limit;
    return wasFull;
  }

  async function skipToHead(): Promise<boolean> {
    const seq = await storage.read((reader) => reader.events.head());
    // A listener or a reader that came meanwhile begins at the old position.
    if (isRead()) return true;
    position = { ...position, seq };
    feed.skipTo(seq);
    return false;
  }

  return {
    async start() {
      const made = Buffer.from(random.bytes(16)).toString('hex');
      const epoch = await storage.transaction((transaction) =>
        transaction.settings.putIfAbsent(EPOCH_SETTING, made),
      );
      position = { epoch, seq: await storage.read((reader) => reader.events.head()) };
      feed.start(position);
    },
    stop: () => sequencer.stop(),
    // Numbering costs a commit. An instance without listeners, readers and followers numbers facts at its
    // polls only, and not after every commit.
    wake: () => {
      if (isFollowed()) wakeUp();
    },
    onWake: (listener) => {
      wakeUp = listener;
    },
    async run() {
      const moreToSequence = await sequencer.run(isFollowed());
      const { seq } = position;
      const moreToEmit = await (isRead() ? emitPage() : skipToHead());
      if (position.seq > seq) for (const { onNews } of followers) onNews();
      return moreToEmit || moreToSequence;
    },
    pollMs: () => (feed.hasReaders() ? FEED_POLL_MS : POLL_MS),
    position: () => position,
    follow(onNews) {
      const follower = { onNews };
      followers.add(follower);
      return () => void followers.delete(follower);
    },
  };
}

/**
 * The events of a fact. A fact that cannot be read becomes no event, so that later facts are still emitted.
 */
export function expandOrSkip(row: StoredFact, logger: Logger): AnyPublishedEvent[] {
  try {
    return eventsOfFact(row);
  } catch (err) {
    logger.error({ err, seq: row.seq, kind: row.kind }, 'an event could not be read');
    return [];
  }
}

/**
 * Gives committed facts their `seq`, one instance at a time. Does nothing if the storage numbers facts as it
 * appends them.
 */
function createSequencer({ storage, clock, clockIsSteady, logger }: RelayContext, owner: string) {
  const isNeeded = storage.eventNumbering === 'relay';
  let notBefore = -Infinity;

  /**
   * An instance without listeners, readers and followers only polls. It releases the lease, so that an
   * instance that follows every commit can take it.
   */
  async function run(keepLease: boolean): Promise<boolean> {
    const now = clock.now();
    if (!isNeeded || isAhead(notBefore, now, LEASE_RETRY_MS) || !clockIsSteady()) return false;
    const sequenced = await storage.transaction(async (transaction) => {
      const lease = { name: RELAY_LEASE, owner, now, until: now + RELAY_LEASE_MS };
      if ((await transaction.leases.acquire(lease)) === null) return null;
      const count = await transaction.events.sequence(PAGE);
      if (!keepLease) await transaction.leases.release({ name: RELAY_LEASE, owner });
      return count;
    });
    if (sequenced === null) notBefore = now + LEASE_RETRY_MS;
    return sequenced !== null && sequenced >= PAGE;
  }

  return {
    run,
    async stop() {
      if (!isNeeded) return;
      // Without this, another instance would have to wait until the lease ends by itself.
      await storage
        .transaction((transaction) => transaction.leases.release({ name: RELAY_LEASE, owner }))
        .catch((err: unknown) => logger.warn({ err }, 'the lease of the event relay was not given back'));
    },
  };
}
