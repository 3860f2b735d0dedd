/**
 * Gives a reader the facts that its subscription has missed, at the pace of the reader. Then the subscription
 * joins the live channels.
 */
import type { ApiKey } from '../../domain/types';
import { channelName, isAccountChannel, marketOfChannel } from '../../events/channel-keys';
import type { Clock } from '../../ports/clock';
import type { Logger } from '../../ports/logger';
import type { Storage } from '../../ports/storage';
import type { Timers } from '../../ports/timers';
import type { EventPosition } from '../../domain/event-position';
import type { SubscriptionStarts } from './subscription-start';
import type { Connection } from './reader-connection';
import { feedBatch } from './message-batch';
import type { FactPage } from './fact-page';
import type { FairShare } from './fair-share';
import { activeKeys } from './active-keys';
import { FeedMessage } from './feed-message';
import type { MissedFacts } from './missed-facts';
import { createSemaphore } from './semaphore';
import type { CatchUpRunner, Subscription } from './subscription';
import { CatchUpScheduler } from './catch-up-scheduler';

/**
 * At most this many pages from the storage are read and delivered at a time, and as many pages from memory. The number
 * is small, so that requests of the API do not wait long.
 */
const MOST_PAGES = 4;
/** The pause after the storage has failed to give missed facts. */
const RETRY_MS = 1_000;

export interface CatchUpParts {
  storage: Pick<Storage, 'read'>;
  logger: Logger;
  clock: Clock;
  timers: Timers;
  missed: MissedFacts;
  starts: SubscriptionStarts;
  position(): EventPosition;
  /** Resolves when the feed has handed out further facts, so that its position has risen. */
  advanced(): Promise<void>;
}

export class CatchUps implements CatchUpRunner<Connection> {
  readonly #parts: CatchUpParts;
  // Pages from memory have their own slots, so that they do not wait for pages of a slow storage.
  readonly #keptPages = createSemaphore(MOST_PAGES);
  readonly #storedPages = createSemaphore(MOST_PAGES);
  readonly #schedulers = new WeakMap<Connection, CatchUpScheduler<Connection>>();

  constructor(parts: CatchUpParts) {
    this.#parts = parts;
  }

  follow(connection: Connection, subscription: Subscription): void {
    void this.#follow(connection, subscription);
  }

  async #follow(connection: Connection, subscription: Subscription): Promise<void> {
    while (isWanted(connection, subscription)) {
      const { seq } = this.#parts.position();
      // No `await` may come between this comparison and the join, or the reader could miss a page of live facts.
      if (subscription.at === seq) return connection.join(subscription);
      try {
        if (subscription.at > seq) await this.#parts.advanced();
        else await this.#takeTurn(connection, subscription);
      } catch (err) {
        await this.#pauseAfter(err, subscription);
      }
    }
  }

  #pauseAfter(err: unknown, { at }: Subscription): Promise<void> {
    this.#parts.logger.warn({ err, at }, 'what a reader missed could not be read; it is tried again');
    return this.#rest(RETRY_MS);
  }

  #rest(milliseconds: number): Promise<void> {
    return new Promise((resolve) => void this.#parts.timers.after(milliseconds, resolve));
  }

  async #takeTurn(connection: Connection, subscription: Subscription): Promise<void> {
    const scheduler = this.#schedulerOf(connection);
    await scheduler.take(subscription, async () => {
      // The pause comes before the page, so that a reader joins without a pause after its last page.
      const pause = scheduler.takePause();
      if (pause > 0) await this.#rest(pause);
      await this.#pageInSlot(connection, subscription, scheduler.share);
      return isWanted(connection, subscription) && subscription.at < this.#parts.position().seq;
    });
  }

  #schedulerOf(connection: Connection): CatchUpScheduler<Connection> {
    const own = this.#schedulers.get(connection) ?? new CatchUpScheduler(connection, this.#parts.clock);
    this.#schedulers.set(connection, own);
    return own;
  }

  async #pageInSlot(connection: Connection, subscription: Subscription, share: FairShare): Promise<void> {
    // The reader may have gone while its subscription waited for a turn.
    if (!isWanted(connection, subscription)) return;
    const { missed, timers } = this.#parts;
    const pages = missed.kept(subscription.at) === null ? this.#storedPages : this.#keptPages;
    await pages.run(async () => {
      await share.work(() => this.#page(connection, subscription));
      // The pages of a storage that answers at once would otherwise block the event loop for other work.
      await timers.yieldTurn();
    });
    await connection.reader.ready();
  }

  async #page(connection: Connection, subscription: Subscription): Promise<void> {
    const { missed } = this.#parts;
    const { at } = subscription;
    const page = missed.kept(at) ?? (await missed.stored(at));
    if (page === null) return this.#resync(connection, subscription);
    if (isOfAccount(subscription, page) && !(await this.#refreshKey(connection))) return;
    tell(connection, subscription, page);
  }

  /**
   * Takes over the key as the storage has it now. Ends the connection if the key was revoked. `false`: there is no
   * key, or the connection has ended. Rejects when the storage does not answer.
   */
  async #refreshKey(connection: Connection): Promise<boolean> {
    const { key } = connection;
    if (key === null) return false;
    const active = await activeKeys(this.#parts.storage, [key]);
    connection.applyKey(active.get(key.id) ?? null);
    return connection.isOpen;
  }

  async #resync(connection: Connection, subscription: Subscription): Promise<void> {
    const { starts, position } = this.#parts;
    const { snapshot, at, key } = await starts.anew(contentsOf(subscription, connection.key));
    if (!connection.isOpen) return;
    if (key !== undefined) connection.applyKey(key);
    if (!connection.isOpen || snapshot === null) return;
    subscription.at = at;
    subscription.lastSeqs.clear();
    const channels = [...subscription.channels].map(channelName);
    if (channels.length === 0) return;
    const { epoch } = position();
    connection.resync({ channels, reason: 'RETENTION', epoch, seq: at, snapshot });
  }
}

function isWanted({ isOpen }: Connection, { channels }: Subscription): boolean {
  return isOpen && channels.size > 0;
}

function tell(connection: Connection, subscription: Subscription, page: FactPage): void {
  const { channels, lastSeqs } = subscription;
  const messages = page.on(channels).map(({ fact, message }) => {
    const told = new FeedMessage(fact, message, lastSeqs.get(message.channel) ?? null);
    lastSeqs.set(message.channel, fact.seq);
    return told;
  });
  subscription.at = page.facts.at(-1)?.seq ?? subscription.at;
  if (messages.length > 0) connection.deliver(feedBatch(messages, subscription.conflate));
}

function isOfAccount({ channels }: Subscription, page: FactPage): boolean {
  const accounts = new Set([...channels].filter(isAccountChannel));
  return accounts.size > 0 && page.on(accounts).length > 0;
}

function contentsOf({ channels }: Subscription, key: ApiKey | null) {
  const all = [...channels];
  const marketIds = all.map(marketOfChannel).filter((id) => id !== null);
  return { marketIds, accountOf: all.some(isAccountChannel) ? key : null };
}
