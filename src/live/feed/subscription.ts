import type { ChannelKey } from '../../events/channel-keys';

/**
 * The channels of one `subscribe` command, until the reader has got the facts that it has missed on them.
 */
export interface Subscription {
  channels: Set<ChannelKey>;
  conflate: boolean;
  /** The reader has got the facts up to this `seq`. */
  at: number;
  /** The `seq` of the last message that this subscription gave the reader on each channel. */
  lastSeqs: Map<ChannelKey, number>;
  /**
   * How many `subscribe` commands this object stands for. It is more than 1 after other subscriptions were merged into
   * this one.
   */
  count: number;
}

export interface CatchUpRunner<Connection> {
  follow(connection: Connection, subscription: Subscription): void;
}
