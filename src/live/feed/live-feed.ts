/**
 * The feed of one instance. The relay gives it each page of numbered facts, and the feed hands the messages to the
 * readers of their channels.
 */
import type { StoredFact } from '../../domain/events';
import { isAccountChannel } from '../../events/channel-keys';
import type { Logger } from '../../ports/logger';
import { realTimers, type Timers } from '../../ports/timers';
import type { Context } from '../../usecases/context';
import { withoutGap } from '../../usecases/facts/read-facts';
import type { EventPosition } from '../../domain/event-position';
import { createSubscriptionStarts } from './subscription-start';
import { CatchUps } from './catch-up';
import { LiveChannels } from './live-channels';
import { Connection, type ConnectionParts } from './reader-connection';
import { feedFact, type FeedFact } from './feed-message';
import { MissedFacts } from './missed-facts';
import { createPace, type Pace } from './pace';
import { ReaderKeys } from './reader-keys';
import { createRecentFacts } from './recent-facts';
import { createSemaphore } from './semaphore';
import type { EndReason, Feed, FeedConnection, FeedFigures, FeedReader } from './types';

/**
 * The most storage calls at a time for new subscriptions. The number is small, because requests of the API need the
 * storage too.
 */
const MOST_STARTS = 4;

/**
 * How many readers get their messages in one turn of the event loop. The number is small, because a trade on
 * SQLite waits for the event loop between its statements.
 */
const READERS_PER_TURN = 25;

export interface FeedIntake {
  hasReaders(): boolean;
  /** Called once, before facts are handed out. */
  start(position: EventPosition): void;
  /**
   * Gives the readers the messages of these facts, which follow the facts of the last call. If the storage
   * cannot say which keys are active, the promise rejects, and no reader has got any of the messages.
   */
  handOut(rows: readonly StoredFact[]): Promise<void>;
  /** Resolves when the readers may get the next page. */
  rest(): Promise<void>;
  /** Moves the position to `seq` without handing facts out. Never called while there are readers. */
  skipTo(seq: number): void;
}

export interface LiveFeed extends Feed, FeedIntake {
  /** Counts, roughly, the facts that this instance has committed. They are handed out later. */
  expect(facts: number): void;
}

export interface FeedOptions {
  channelLimit: number;
  wakeRelay(): void;
  timers?: Timers;
  /** How many readers get their messages in one turn of the event loop. */
  readersPerTurn?: number;
}

type FeedContext = Pick<Context, 'storage' | 'pricing' | 'clock' | 'logger'>;

export function createFeed(context: FeedContext, options: FeedOptions): LiveFeed {
  return new InstanceFeed(context, options);
}

class InstanceFeed implements LiveFeed {
  readonly #logger: Logger;
  readonly #connections = new Set<Connection>();
  readonly #live = new LiveChannels<Connection>();
  readonly #recent = createRecentFacts();
  readonly #keys: ReaderKeys;
  readonly #pace: Pace;
  readonly #timers: Timers;
  readonly #readersPerTurn: number;
  readonly #parts: ConnectionParts;
  #position: EventPosition = { epoch: '', seq: 0 };
  /** The catch-ups that wait until the position has moved on. */
  #waiting: (() => void)[] = [];

  constructor(context: FeedContext, options: FeedOptions) {
    const { storage, logger, clock } = context;
    const { channelLimit, wakeRelay, timers = realTimers, readersPerTurn = READERS_PER_TURN } = options;
    this.#logger = logger;
    this.#timers = timers;
    this.#readersPerTurn = readersPerTurn;
    this.#keys = new ReaderKeys(storage, timers);
    this.#pace = createPace(clock, timers);
    const recent = this.#recent;
    const position = (): EventPosition => this.#position;
    const missed = new MissedFacts({ storage, logger, recent, newestSeq: () => this.#position.seq });
    const starts = createSubscriptionStarts({
      context: { ...context, timers },
      semaphore: createSemaphore(MOST_STARTS),
      recent,
      position,
    });
    const advanced = (): Promise<void> => {
      wakeRelay();
      return new Promise((resolve) => this.#waiting.push(resolve));
    };
    this.#parts = {
      live: this.#live,
      starts,
      catchUps: new CatchUps({ storage, logger, clock, timers, missed, starts, position, advanced }),
      channelLimit,
      onKey: (connection) => this.#keys.add(connection),
      onClose: (connection) => this.#forget(connection),
      onFault: (err) => logger.error({ err }, 'a reader of the feed failed'),
    };
  }

  hasReaders(): boolean {
    return this.#connections.size > 0;
  }

  start(position: EventPosition): void {
    this.#position = position;
  }

  rest(): Promise<void> {
    return this.#pace.rest();
  }

  expect(facts: number): void {
    this.#pace.expect(facts);
  }

  skipTo(seq: number): void {
    this.#recent.clear();
    this.#live.forget();
    this.#moveTo(seq);
  }

  async handOut(rows: readonly StoredFact[]): Promise<void> {
    const last = rows.at(-1)?.seq ?? null;
    if (last === null) return;
    if (!this.hasReaders()) return this.skipTo(last);
    const numbered = withoutGap(rows, this.#position.seq);
    if (numbered === null) return this.#giveUp(last);
    const facts = numbered.map((row) => feedFact(row, this.#logger));
    const confirmed = new Set<Connection>();
    for (;;) {
      const asked = this.#unconfirmedReaders(facts, confirmed);
      // No `await` may come between this check and the handing out below. The key of a reader that joins
      // meanwhile would not be confirmed.
      if (asked.length === 0) break;
      await this.#keys.check(asked);
      for (const connection of asked) confirmed.add(connection);
    }
    this.#recent.add(facts);
    this.#pace.count(facts.length);
    const others = this.#pace.work(() => {
      const { withAccount, others } = this.#live.handOut(facts);
      for (const connection of withAccount) connection.deliverWaiting();
      return others;
    });
    // A reader that joins from now on begins after these facts.
    this.#moveTo(last);
    await this.#deliverInTurns(others);
  }

  connect(reader: FeedReader): FeedConnection {
    const connection = new Connection(reader, this.#parts);
    this.#connections.add(connection);
    return connection;
  }

  position(): EventPosition {
    return this.#position;
  }

  keyRevoked(keyId: number): void {
    this.#keys.revoked(keyId);
  }

  checkKeys(): Promise<void> {
    return this.#keys.checkAll();
  }

  endAll(reason: EndReason): void {
    for (const connection of [...this.#connections]) connection.end(reason);
  }

  figures(): FeedFigures {
    return {
      readers: this.#connections.size,
      authenticated: this.#keys.count,
      channels: this.#live.count,
      catchingUp: [...this.#connections].filter(({ isCatchingUp }) => isCatchingUp).length,
    };
  }

  #moveTo(seq: number): void {
    this.#position = { ...this.#position, seq };
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }

  async #deliverInTurns(connections: readonly Connection[]): Promise<void> {
    const perTurn = this.#readersPerTurn;
    for (let from = 0; from < connections.length; from += perTurn) {
      if (from > 0) await this.#timers.yieldTurn();
      this.#pace.work(() => {
        for (const connection of connections.slice(from, from + perTurn)) connection.deliverWaiting();
      });
    }
  }

  /** Ends the connections of all readers, because the storage has removed facts that they did not get. */
  #giveUp(last: number): void {
    this.#logger.warn({ after: this.#position.seq }, 'the feed was away for so long that facts were removed');
    this.endAll('fault');
    this.skipTo(last);
  }

  /** The readers that would get messages of accounts from these facts, except for those in `confirmed`. */
  #unconfirmedReaders(facts: readonly FeedFact[], confirmed: ReadonlySet<Connection>): Connection[] {
    if (this.#keys.count === 0) return [];
    const channels = facts.flatMap(({ messages }) => messages.map(({ channel }) => channel));
    const accounts = new Set(channels.filter(isAccountChannel));
    return [...accounts]
      .flatMap((channel) => this.#live.readersOf(channel))
      .filter((connection) => !confirmed.has(connection));
  }

  #forget(connection: Connection): void {
    this.#connections.delete(connection);
    this.#keys.remove(connection);
  }
}
