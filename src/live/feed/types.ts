/** The feed of one instance as sockets and streams use it. */
import type { ChannelKey } from '../../events/channel-keys';
import type { ApiKey } from '../../domain/types';
import type { MarketDetailView } from '../../views/market';
import type { EventPosition, EventPositionProblem } from '../../domain/event-position';
import type { FeedMessage } from './feed-message';

/**
 * Messages for one set of channels, in the order of `seq`. The readers of a `ReaderGroup` share the object; a
 * batch of missed facts or of held-back prices belongs to one reader.
 */
export interface FeedBatch {
  readonly messages: readonly FeedMessage[];
  /**
   * Whether the reader asked for `conflate`. Such a reader may leave out older prices while its client is
   * behind.
   */
  readonly conflate: boolean;
  /** Calls `encode` once for all readers of the batch and keeps the result. */
  encoded<T>(encode: (batch: FeedBatch) => T): T;
}

/**
 * A socket or a stream, as the feed sees it. If `deliver` throws, the feed ends the connection. The other
 * functions must not throw.
 */
export interface FeedReader {
  deliver(batch: FeedBatch): void;
  /** Resolves when the client has taken most of the written bytes, or when the reader has ended. */
  ready(): Promise<void>;
  /**
   * Tells the reader that the channels begin anew at `seq`. The reader does not get the facts between its position
   * and `seq`.
   */
  resync(resync: Resync): void;
  /**
   * Tells the reader that its key lacks the scope of these channels now. The channels are no longer subscribed.
   */
  scopeLost(channels: readonly string[]): void;
  /** The feed has closed the connection. The reader gets nothing after this call. */
  end(reason: EndReason): void;
}

/**
 * - `shutdown`: the instance stops.
 * - `key-revoked`: the reader's key is not active any more.
 * - `fault`: the reader has failed, or this instance cannot give it all facts without a gap. The client may
 *   connect again and resume.
 */
export type EndReason = 'shutdown' | 'key-revoked' | 'fault';

export interface Resync extends EventPosition {
  channels: string[];
  reason: EventPositionProblem;
  snapshot: Snapshot;
}

/**
 * The state of the subscribed markets and of the account at one moment. It contains all facts up to `seq`, and perhaps
 * some that get a higher `seq`.
 */
export interface Snapshot {
  seq: number;
  markets: (MarketDetailView & { marketSeq: number })[];
  account?: { balance: number; reserved: number; available: number };
}

export interface SubscribeRequest {
  /** The channels as clients spell them: `trades`, `market:7`, `account`. */
  channels: readonly string[];
  since: EventPosition | null;
  /** Whether older prices may be left out. `true` is refused without the channel `prices`. */
  conflate: boolean;
}

export interface Subscribed {
  channels: string[];
  /**
   * Every later message on these channels has a higher `seq` than this. If `since` is honoured, this is the
   * `seq` of `since`.
   */
  seq: number;
  /**
   * The state of `market:<id>` and `account`. `null` if none of these channels is subscribed, if `since` is
   * honoured, or if `resync` follows.
   */
  snapshot: Snapshot | null;
  /** Whether `resync` follows, because `since` cannot be honoured. */
  isResynced: boolean;
}

export interface FeedConnection {
  readonly isOpen: boolean;
  /**
   * Subscribes the reader to channels. Calls `accepted` once, before the first message or `resync` of these
   * channels, or never if the connection has ended. Rejects without a change with VALIDATION_ERROR, MARKET_NOT_FOUND,
   * UNAUTHORIZED, INSUFFICIENT_SCOPE, SUBSCRIPTION_LIMIT or SERVICE_UNAVAILABLE. A channel that is subscribed already
   * begins anew. Calls must not overlap.
   */
  subscribe(request: SubscribeRequest, accepted: (subscribed: Subscribed) => void): Promise<void>;
  /**
   * Ends subscriptions. Channels that are not subscribed are ignored. Throws VALIDATION_ERROR for an unknown
   * name.
   */
  unsubscribe(channels: readonly string[]): void;
  /** Sets the key of the reader, which the caller has checked. A later call with the same key updates its scopes. */
  authenticate(key: ApiKey): void;
  /** Called when the reader has gone. May be called again. */
  close(): void;
}

export interface Feed {
  connect(reader: FeedReader): FeedConnection;
  /**
   * The position of the newest fact that the feed has handed out, or passed over while it had no readers.
   */
  position(): EventPosition;
  /** Ends the readers of this key now. Called when this instance has revoked the key. */
  keyRevoked(keyId: number): void;
  /** Checks at once which keys are still active, and ends the connections of the other keys. */
  checkKeys(): Promise<void>;
  endAll(reason: EndReason): void;
  figures(): FeedFigures;
}

export interface FeedFigures {
  /** The number of sockets and streams that read the feed now. */
  readers: number;
  /** The number of these sockets and streams that have a key. */
  authenticated: number;
  /** The number of channels with at least one reader. */
  channels: number;
  /** The number of readers that have not got all missed facts yet. */
  catchingUp: number;
}

export type { ChannelKey, EventPosition };
