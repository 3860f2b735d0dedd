/**
 * The feed of one instance. The relay gives it each page of numbered facts, and the feed hands the messages
 * to the readers of their channels. Each message is made and written as text once for all its readers.
 */
import type { StoredFact } from '../../domain/events';
import { isAccountChannel } from '../../events/channels';
import { realTimers, type Timers } from '../../ports/timers';
import type { Context } from '../../usecases/context';
import type { EventPosition } from '../../domain/event-position';
import { createBeginnings } from './beginning';
import { createCatchUps } from './catch-up';
import { createLiveChannels } from './channels';
import { Connection, type ConnectionParts } from './connection';
import { activeKeys } from './key-check';
import { feedFact, type FeedFact } from './message';
import { withoutGap } from './without-gap';
import { createPace } from './pace';
import { createRecentFacts } from './recent-facts';
import { createSlots } from './slots';
import type { Feed } from './types';

/**
 * How long the feed waits between two looks at the keys of its readers. A revoked key loses its connections
 * within a second, while the storage answers.
 */
export const KEY_POLL_MS = 400;
/**
 * The most storage calls at a time for readers that begin. The number is small, because requests of the API
 * would wait behind them.
 */
const MOST_BEGINNINGS = 4;

/** The feed as the relay uses it. */
export interface FeedIntake {
  hasReaders(): boolean;
  /** Called once, before any other function. */
  start(position: EventPosition): void;
  /**
   * Gives the readers the messages of the facts that follow the last ones: of all of them, or of none if it
   * rejects. It rejects while it is not known which keys are active.
   */
  handOut(rows: readonly StoredFact[]): Promise<void>;
  /** Fulfils when the readers may get the next page, after at most 25 ms. */
  rest(): Promise<void>;
  /** Passes over the facts up to `seq`, which were not read. Never called while there are readers. */
  skipTo(seq: number): void;
}

export interface FeedHub extends Feed, FeedIntake {}

export interface FeedOptions {
  /** The most channels of one connection. */
  channelLimit: number;
  /** Asks the relay to read on. */
  wakeRelay(): void;
  timers?: Timers;
}

export function createFeed(
  context: Pick<Context, 'storage' | 'pricing' | 'clock' | 'logger'>,
  { channelLimit, wakeRelay, timers = realTimers }: FeedOptions,
): FeedHub {
  const { storage, logger } = context;
  const live = createLiveChannels<Connection>();
  const recent = createRecentFacts();
  const slots = createSlots(MOST_BEGINNINGS);
  const connections = new Set<Connection>();
  const authenticated = new Set<Connection>();
  const advance = createAdvance();
  const pace = createPace(context.clock, timers);
  let position: EventPosition = { epoch: '', seq: 0 };
  const now = (): EventPosition => position;
  const beginnings = createBeginnings({ context, slots, recent, position: now });
  const catchUps = createCatchUps({
    storage,
    logger,
    timers,
    recent,
    beginnings,
    position: now,
    advanced() {
      wakeRelay();
      return advance.next();
    },
  });
  const poll = createKeyPoll(timers, checkKeys, () => authenticated.size > 0);
  const parts: ConnectionParts = {
    live,
    beginnings,
    catchUps,
    channelLimit,
    onKey(connection) {
      authenticated.add(connection);
      poll.start();
    },
    onClose(connection) {
      connections.delete(connection);
      authenticated.delete(connection);
    },
    onFault: (err) => logger.error({ err }, 'a reader of the feed failed'),
  };

  async function checkKeys(): Promise<void> {
    await applyKeys([...authenticated]);
  }

  /**
   * Takes over the keys as the storage has them now, and ends the connections whose keys are not active any
   * more. Rejects when it is not known which keys are active.
   */
  async function applyKeys(asked: readonly Connection[]): Promise<void> {
    const keys = asked.flatMap(({ key }) => (key === null ? [] : [key]));
    const active = await activeKeys(storage, keys);
    for (const connection of asked)
      if (connection.isOpen && connection.key !== null)
        connection.applyKey(active.get(connection.key.id) ?? null);
  }

  function moveTo(seq: number): void {
    position = { ...position, seq };
    advance.announce();
  }

  function passOver(seq: number): void {
    recent.clear();
    live.forget();
    moveTo(seq);
  }

  function endAll(reason: Parameters<Feed['endAll']>[0]): void {
    for (const connection of [...connections]) connection.end(reason);
  }

  /** The readers that would get messages of accounts from these facts, except for those in `confirmed`. */
  function unconfirmedReaders(facts: readonly FeedFact[], confirmed: ReadonlySet<Connection>): Connection[] {
    if (authenticated.size === 0) return [];
    const channels = facts.flatMap(({ messages }) => messages.map(({ channel }) => channel));
    const accounts = new Set(channels.filter(isAccountChannel));
    return [...accounts].flatMap((channel) => live.readersOf(channel)).filter((one) => !confirmed.has(one));
  }

  return {
    hasReaders: () => connections.size > 0,
    start: (begin) => void (position = begin),
    rest: () => pace.rest(),
    skipTo: passOver,
    position: now,
    checkKeys,
    endAll,
    async handOut(rows) {
      const last = rows.at(-1)?.seq ?? null;
      if (last === null) return;
      if (connections.size === 0) return passOver(last);
      const numbered = withoutGap(rows, position.seq);
      if (numbered === null) {
        logger.warn({ after: position.seq }, 'the feed was away for so long that facts were removed');
        endAll('fault');
        return passOver(last);
      }
      const facts = numbered.map((row) => feedFact(row, logger));
      const confirmed = new Set<Connection>();
      for (;;) {
        const asked = unconfirmedReaders(facts, confirmed);
        // No `await` may stand between this look and the end, because the key of a reader that joins in
        // between is not confirmed.
        if (asked.length === 0) break;
        await applyKeys(asked);
        for (const connection of asked) confirmed.add(connection);
      }
      recent.add(facts);
      pace.work(() => live.handOut(facts));
      moveTo(last);
    },
    connect(reader) {
      const connection = new Connection(reader, parts);
      connections.add(connection);
      return connection;
    },
    keyRevoked(keyId) {
      for (const connection of [...authenticated])
        if (connection.key?.id === keyId) connection.end('key-revoked');
    },
    figures: () => ({
      readers: connections.size,
      authenticated: authenticated.size,
      channels: live.count(),
      catchingUp: [...connections].filter(({ isCatchingUp }) => isCatchingUp).length,
    }),
  };
}

/** Lets callers wait until the position has moved on. */
function createAdvance(): { next(): Promise<void>; announce(): void } {
  let waiting: (() => void)[] = [];
  return {
    next: () => new Promise((resolve) => waiting.push(resolve)),
    announce() {
      const told = waiting;
      waiting = [];
      for (const resolve of told) resolve();
    },
  };
}

/**
 * Looks at the keys again and again while there are authenticated readers. A failed look says nothing about
 * keys, so the next look decides.
 */
function createKeyPoll(timers: Timers, look: () => Promise<void>, isNeeded: () => boolean) {
  let isRunning = false;
  function schedule(): void {
    isRunning = isNeeded();
    if (!isRunning) return;
    timers.after(KEY_POLL_MS, () => {
      look()
        .catch(() => undefined)
        .finally(schedule);
    });
  }
  return {
    start(): void {
      if (!isRunning) schedule();
    },
  };
}
