import type { ChannelKey } from '../../events/channels';

/** Channels of a connection that get what they have missed. */
export interface Subscription {
  /** The channels that are catching up. A channel leaves this set when it is unsubscribed. */
  channels: Set<ChannelKey>;
  conflate: boolean;
  /** The reader has got the facts up to this `seq`. */
  at: number;
  /** The `seq` of the last message that the reader got on each channel. */
  lastSeqs: Map<ChannelKey, number>;
  /** How many subscriptions of the client this is, because subscriptions at one position are put together. */
  count: number;
}

/** Brings the channels of a subscription up to the newest fact. */
export interface CatchUp<Connection> {
  follow(connection: Connection, subscription: Subscription): void;
}
