import { connectorsOf, type ConnectorOptions } from './connectors';
import { KEY_REFUSED, LiveInboxFullError, refusalError, SCOPE_MISSING } from './errors';
import type { ChannelBeginning } from './channel-work';
import { createClientFeed, type ClientFeed, type FeedStatus } from './client-feed';
import { createHandedPosition } from './handed-position';
import { limitOf } from '../options';
import { refuseOthers } from '../unknown-options';
import { createInbox } from './inbox';
import type { Timers } from './link';
import type { LiveEvent, LiveMessage, LiveResync, LiveSnapshot, LiveState } from './live-messages';
import { ACCOUNT, type EventPosition } from './server-messages';
import { followNetwork } from './network';

export interface LiveOptions {
  /**
   * The last position that the caller has, such as `position()` of an earlier iterator. Without it the iterator begins
   * with a snapshot. `null` is refused: write `position() ?? undefined`.
   */
  since?: EventPosition | undefined;
  /** Ends the iterator. */
  signal?: AbortSignal | undefined;
  /** Needed for the channel `account`. Default: the key that the client has. */
  apiKey?: string | undefined;
  /** The channel `prices` gives only the last price of each market while the client is behind. */
  conflate?: boolean | undefined;
  /**
   * `false`: after a lost connection the caller gets the present state (`resync`) instead of the missed messages.
   * Default `true`.
   */
  resume?: boolean | undefined;
  /** How many messages may wait for the caller. Default 10,000. */
  inboxLimit?: number | undefined;
  /** Called with each new state of the subscription. */
  onState?: ((state: LiveState) => void) | undefined;
}

/** The parts of the client that every live feed uses. */
export interface LiveConnection extends ConnectorOptions {
  timers: Timers;
  /** In [0, 1). */
  random(): number;
}

export interface LiveSubscription extends AsyncIterableIterator<LiveMessage, undefined> {
  /** Whether the messages are current. */
  state(): LiveState;
  /**
   * The caller has every message up to this position. Give it as `since` to go on after a restart. Messages of the
   * next fact may then come again. `null`: there is no position yet.
   */
  position(): EventPosition | null;
  /** Ends the iterator, as `break` does. */
  return(): Promise<IteratorResult<LiveMessage, undefined>>;
}

const OF_LIVE = /^(since|signal|apiKey|conflate|resume|inboxLimit|onState)$/;
const INBOX_LIMIT = 10_000;
/** If more messages wait than this, the caller is behind until it has taken them all. */
const MOST_WAITING = 100;

/** Connects at the first `next`. */
export function openLive(
  channels: readonly string[],
  options: LiveOptions,
  connection: LiveConnection,
): LiveSubscription {
  refuseOthers(options, OF_LIVE);
  checkArguments(channels, options);
  const { signal, conflate = false, resume = true, inboxLimit = INBOX_LIMIT, onState } = options;
  const conflated: ReadonlySet<string> = new Set(conflate ? ['prices'] : []);
  const handed = createHandedPosition(channels, conflated, options.since ?? null);
  const inbox = createInbox<LiveMessage>(limitOf(inboxLimit, 'inboxLimit'), taken);
  let status: FeedStatus = 'connecting';
  let isCallerBehind = false;
  let told: LiveState = 'connecting';
  let stop: (() => void) | null = null;
  let isOver = false;

  function tell(): void {
    const state = stateOf(status, isCallerBehind);
    if (state === told || isOver) return;
    told = state;
    try {
      // `onState` may be an async function. Nothing else would handle its rejection.
      Promise.resolve(onState?.(state)).catch(listenerFailed);
    } catch (error) {
      listenerFailed(error);
    }
  }

  function listenerFailed(error: unknown): void {
    if (!isOver) finish(() => (error instanceof Error ? error : new Error(String(error))));
  }

  function taken(message: LiveMessage): void {
    handed.note(message);
    if (inbox.size() > 0) return;
    isCallerBehind = false;
    tell();
  }

  function put(message: LiveMessage): void {
    if (!inbox.put(message)) return finish(() => new LiveInboxFullError(inboxLimit, handed.position()));
    if (inbox.size() > MOST_WAITING) isCallerBehind = true;
    tell();
  }

  function finish(error: () => Error): void {
    close();
    inbox.end(error);
  }

  function close(): void {
    isOver = true;
    told = 'connecting';
    signal?.removeEventListener('abort', drop);
    stop?.();
    stop = null;
  }

  function drop(): void {
    close();
    inbox.drop();
  }

  function start(): void {
    const feed = createClientFeed(
      {
        channels: channels.filter((channel) => channel !== ACCOUNT),
        rules: { conflated, mostMissed: resume ? Infinity : 'none', together: true },
        apiKey: channels.includes(ACCOUNT) ? options.apiKey : undefined,
        since: options.since,
      },
      { ...connection, connectors: connectorsOf(connection), ask: null },
      {
        event: (event) => put(event as LiveEvent),
        stale: (beginning) => put(beginningMessage(beginning)),
        refused: (_channels, refusal) => finish(() => refusalError(refusal)),
        keyRefused: () => finish(() => refusalError(KEY_REFUSED)),
        scopeMissing: () => finish(() => refusalError(SCOPE_MISSING)),
        left: () => finish(() => refusalError(SCOPE_MISSING)),
        status(next) {
          status = next;
          tell();
        },
      },
    );
    stop = stopOf(feed);
    feed.start();
  }

  const subscription: LiveSubscription = {
    next() {
      if (signal?.aborted === true) drop();
      else if (stop === null && !isOver) {
        signal?.addEventListener('abort', drop);
        start();
      }
      return inbox.next();
    },
    async return() {
      drop();
      return { done: true, value: undefined };
    },
    [Symbol.asyncIterator]: () => subscription,
    state: () => told,
    position: handed.position,
  };
  return subscription;
}

function checkArguments(channels: readonly string[], { since, apiKey, conflate }: LiveOptions): void {
  if (since !== undefined && !(since?.seq >= 0)) throw new TypeError('since.seq must be a number');
  if (!Array.isArray(channels) || channels.length === 0)
    throw new TypeError('live needs an array of channels');
  if (channels.includes(ACCOUNT) && apiKey === undefined)
    throw new TypeError('the channel account needs an API key (connectWallet)');
  if (conflate === true && !channels.includes('prices'))
    throw new TypeError('conflate is for the channel prices');
}

function stateOf(status: FeedStatus, isCallerBehind: boolean): LiveState {
  if (status !== 'live' && status !== 'behind') return 'connecting';
  return isCallerBehind ? 'behind' : status;
}

function beginningMessage({
  channels,
  epoch,
  seq,
  snapshot: { markets = [], account },
  reason,
}: ChannelBeginning): LiveSnapshot | LiveResync {
  const state = { channels, epoch, seq, markets, account: account ?? null };
  return reason === null ? { type: 'snapshot', ...state } : { type: 'resync', reason, ...state };
}

function stopOf(feed: ClientFeed): () => void {
  const leaveNetwork = followNetwork(feed);
  return () => {
    leaveNetwork();
    feed.close();
  };
}
