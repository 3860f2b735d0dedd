/**
 * The feed of one instance as sockets and streams use it. docs/live.md describes the channels and the
 * messages.
 */
import type { ChannelKey } from '../../events/channels';
import type { ApiKey } from '../../domain/types';
import type { MarketDetailView } from '../../views/market';
import type { EventPosition, EventPositionProblem } from '../../domain/event-position';
import type { FeedMessage } from './message';

/** Messages of one tick for one set of channels, in the order of `seq`. All readers of the set share the object. */
export interface FeedBatch {
  readonly messages: readonly FeedMessage[];
  /** The reader asked for `conflate`: it may leave out older prices while it is behind. */
  readonly conflate: boolean;
  /** Calls `encode` once for all readers of the batch and keeps the result. */
  encoded<T>(encode: (batch: FeedBatch) => T): T;
}

/** A socket or a stream, as the feed sees it. No function may throw. */
export interface FeedReader {
  deliver(batch: FeedBatch): void;
  /** Fulfils when the client has taken most of what was written, and when the reader has ended. */
  ready(): Promise<void>;
  /**
   * The channels begin anew at `seq`: what happened between is not told. Comes after the answer to a
   * subscription whose `since` cannot be honoured, or later, when what was missed is removed meanwhile.
   */
  resync(resync: Resync): void;
  /** The key lacks the scope of these channels now. They are no longer subscribed. */
  scopeLost(channels: readonly string[]): void;
  /** The feed has closed the connection. The reader gets nothing after this call. */
  end(reason: EndReason): void;
}

/**
 * `shutdown`: the instance stops. `key-revoked`: the reader's key is not active any more. `fault`: this
 * instance cannot tell what happened without a gap; the client may connect again and resume.
 */
export type EndReason = 'shutdown' | 'key-revoked' | 'fault';

export interface Resync extends EventPosition {
  channels: string[];
  reason: EventPositionProblem;
  snapshot: Snapshot;
}

/** The state of the subscribed markets and of the account, all of one moment: later facts have a higher `seq`. */
export interface Snapshot {
  seq: number;
  markets: (MarketDetailView & { marketSeq: number })[];
  account?: { balance: number; reserved: number; available: number };
}

export interface SubscribeRequest {
  /** As clients spell them: `trades`, `market:7`, `account`. */
  channels: readonly string[];
  since: EventPosition | null;
  /** Only for the channel `prices`. */
  conflate: boolean;
}

export interface Subscribed {
  channels: string[];
  /** Every later message on these channels has a higher `seq`. Where `since` is honoured, it is that `seq`. */
  seq: number;
  /** For `market:<id>` and `account`, unless `since` is honoured. */
  snapshot: Snapshot | null;
}

export interface FeedConnection {
  readonly isOpen: boolean;
  /** Up to this `seq` the reader has been given everything on its channels. */
  handedTo(): number;
  /**
   * Calls `accepted` once, before the first message or `resync` of these channels. Rejects without a change with
   * VALIDATION_ERROR, MARKET_NOT_FOUND, UNAUTHORIZED, INSUFFICIENT_SCOPE, SUBSCRIPTION_LIMIT or
   * SERVICE_UNAVAILABLE. A channel that is subscribed already begins anew. Calls must not overlap.
   */
  subscribe(request: SubscribeRequest, accepted: (subscribed: Subscribed) => void): Promise<void>;
  /** Channels that are not subscribed are ignored. Rejects unknown names with VALIDATION_ERROR. */
  unsubscribe(channels: readonly string[]): void;
  /** The valid key of the reader. It is set once. */
  authenticate(key: ApiKey): void;
  /** The reader has gone. May be repeated. */
  close(): void;
}

export interface Feed {
  connect(reader: FeedReader): FeedConnection;
  /** The newest fact that was handed out. */
  position(): EventPosition;
  /** Ends the readers of this key now. Called when this instance has revoked it. */
  keyRevoked(keyId: number): void;
  /** Looks at once which keys are still active, as the poll does. */
  checkKeys(): Promise<void>;
  /** Ends all readers. */
  endAll(reason: EndReason): void;
  figures(): FeedFigures;
}

export interface FeedFigures {
  readers: number;
  authenticated: number;
  /** Channels with at least one reader. */
  channels: number;
  /** Readers that are getting what they missed. */
  catchingUp: number;
}

export type { ChannelKey, EventPosition };
