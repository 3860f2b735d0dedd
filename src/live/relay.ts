/**
 * Gives committed facts, in the order of their numbers, to the emitter and to the feed of this instance. If the
 * storage does not number facts, the instance with the lease of the sequencer numbers them.
 */
import type { EventPosition } from '../domain/event-position';
import type { AnyPublishedEvent, StoredFact } from '../domain/events';
import type { Logger } from '../ports/logger';
import { eventsOfFact } from '../events/events-of-fact';
import type { Emitter } from './emitter';
import { renewEpoch, storedEpoch } from './event-epoch';
import type { FeedIntake } from './feed/live-feed';
import { LARGEST_PAGE } from './feed/pace';
import { Sequencer, type SequencerContext } from './sequencer';

const PAGE = 1_000;
/**
 * How long the relay waits before it looks for facts that other instances have committed. The wait is shorter while
 * the feed has readers.
 */
const POLL_MS = 1_000;
const FEED_POLL_MS = 200;

export interface Relay {
  /**
   * Reads the number of the newest fact. The relay emits the events of later facts. The storage must be open. With
   * `newEpoch` the facts get a new epoch first.
   */
  start(options?: { newEpoch: boolean }): Promise<void>;
  /** Releases the lease. Called after the last `run` has ended. */
  stop(): Promise<void>;
  /** A hint that there may be facts to number or to emit. */
  wake(): void;
  /** Registers the one listener of `wake`: the loop that calls `run`. */
  onWake(listener: () => void): void;
  /** How long the next `run` may wait if no hint comes. */
  pollMs(): number;
  /**
   * Numbers at most one page of facts, and emits the events of at most one page. Resolves with whether more facts may
   * wait. Calls must not overlap.
   */
  run(): Promise<boolean>;
  /**
   * The newest fact whose events this instance has emitted, or skipped because there were neither listeners nor
   * readers.
   */
  position(): EventPosition;
  /**
   * Calls `onNews` after facts have got their numbers, until the returned function is called. The follower reads
   * the facts itself. While there are followers, the relay also runs after each commit of this instance.
   */
  follow(onNews: () => void): () => void;
}

export function createRelay(context: SequencerContext, emitter: Emitter, feed: FeedIntake): Relay {
  return new EventRelay(context, emitter, feed);
}

class EventRelay implements Relay {
  readonly #context: SequencerContext;
  readonly #emitter: Emitter;
  readonly #feed: FeedIntake;
  readonly #sequencer: Sequencer;
  readonly #followers = new Set<{ onNews: () => void }>();
  #position: EventPosition = { epoch: '', seq: 0 };
  #wakeUp = (): void => undefined;
  #wasFull = false;

  constructor(context: SequencerContext, emitter: Emitter, feed: FeedIntake) {
    this.#context = context;
    this.#emitter = emitter;
    this.#feed = feed;
    this.#sequencer = new Sequencer(context);
  }

  async start({ newEpoch } = { newEpoch: false }): Promise<void> {
    const { storage } = this.#context;
    const epoch = await (newEpoch ? renewEpoch : storedEpoch)(this.#context);
    this.#position = { epoch, seq: await storage.read(({ events }) => events.head()) };
    this.#feed.start(this.#position);
  }

  stop(): Promise<void> {
    return this.#sequencer.stop();
  }

  wake(): void {
    // Numbering costs a commit. An instance without listeners, readers and followers numbers facts at its polls
    // only, and not after every commit.
    if (this.#isFollowed()) this.#wakeUp();
  }

  onWake(listener: () => void): void {
    this.#wakeUp = listener;
  }

  pollMs(): number {
    return this.#feed.hasReaders() ? FEED_POLL_MS : POLL_MS;
  }

  position(): EventPosition {
    return this.#position;
  }

  follow(onNews: () => void): () => void {
    const follower = { onNews };
    this.#followers.add(follower);
    return () => void this.#followers.delete(follower);
  }

  async run(): Promise<boolean> {
    const moreToSequence = await this.#sequencer.run(PAGE, this.#isFollowed());
    const { seq } = this.#position;
    const moreToEmit = await (this.#isRead() ? this.#emitPage() : this.#skipToHead());
    if (this.#position.seq > seq) for (const { onNews } of this.#followers) onNews();
    return moreToEmit || moreToSequence;
  }

  #isRead(): boolean {
    return this.#emitter.hasListeners() || this.#feed.hasReaders();
  }

  #isFollowed(): boolean {
    return this.#isRead() || this.#followers.size > 0;
  }

  async #emitPage(): Promise<boolean> {
    // After a full page, further facts are already waiting. So a pause to collect facts is not needed.
    if (!this.#wasFull) await this.#feed.rest();
    const limit = this.#feed.hasReaders() ? LARGEST_PAGE : PAGE;
    const { storage } = this.#context;
    const page = await storage.read(({ events }) => events.after(this.#position.seq, limit));
    // Handing out comes first, because it may reject. The page is then read again, and events that had been
    // emitted already would be emitted twice.
    await this.#feed.handOut(page);
    for (const row of page) this.#emit(row);
    this.#wasFull = page.length === limit;
    return this.#wasFull;
  }

  #emit(row: StoredFact): void {
    // A listener may add or remove listeners, so the code asks again for each row.
    if (this.#emitter.hasListeners())
      for (const event of expandOrSkip(row, this.#context.logger)) this.#emitter.publish(event);
    if (row.seq !== null) this.#position = { ...this.#position, seq: row.seq };
  }

  async #skipToHead(): Promise<boolean> {
    const seq = await this.#context.storage.read(({ events }) => events.head());
    // A listener or a reader that came during the read begins at the old position.
    if (this.#isRead()) return true;
    this.#position = { ...this.#position, seq };
    this.#feed.skipTo(seq);
    return false;
  }
}

/** A fact that cannot be read becomes no event, so that later facts are still emitted. */
export function expandOrSkip(row: StoredFact, logger: Logger): AnyPublishedEvent[] {
  try {
    return eventsOfFact(row);
  } catch (err) {
    logger.error({ err, seq: row.seq, kind: row.kind }, 'an event could not be read');
    return [];
  }
}
