import type * as feed from './messages.generated';
import type { EventPosition, ResyncReason } from './server-messages';

/** A channel of the live feed (docs/live.md "Channels"). `account` needs a key. */
export type LiveChannel = 'markets' | 'trades' | 'prices' | 'account' | `market:${number}`;

export type { BalanceFigures, MarketSnapshot } from './messages.generated';

/** A message of a fact. `event` tells the type of `data`. */
export type LiveEvent =
  | feed.MarketCreated
  | feed.MarketResolving
  | feed.MarketProposed
  | feed.MarketEscalated
  | feed.MarketResolved
  | feed.Trade
  | feed.Price
  | feed.AccountTrade
  | feed.AccountBalance
  | feed.AccountSettlement
  | feed.CreatorUpdated;

/** The message of one event, such as `LiveEventOf<'trade'>`. */
export type LiveEventOf<Name extends LiveEvent['event']> = Extract<LiveEvent, { event: Name }>;

interface LiveBeginning extends EventPosition {
  /** The messages of these channels after `seq` follow. */
  channels: readonly string[];
  /** The state of each market whose channel `market:<id>` is in `channels`, as of `seq`. */
  markets: readonly feed.MarketSnapshot[];
  /** The balance as of `seq` if `channels` contains `account`; else `null`. */
  account: feed.BalanceFigures | null;
}

/** Begins channels for the first time. A subscription without `since` starts with a snapshot. */
export interface LiveSnapshot extends LiveBeginning {
  type: 'snapshot';
}

/**
 * Messages up to `seq` are missing, so the caller has to begin anew from this state. `CUT`: the connection was lost,
 * and the caller has chosen `resume: false` or `conflate: true`.
 */
export interface LiveResync extends LiveBeginning {
  type: 'resync';
  /** Why the messages are missing. */
  reason: ResyncReason | 'CUT';
}

export type LiveMessage = LiveSnapshot | LiveResync | LiveEvent;

/**
 * `live`: messages come as the facts happen. `connecting`: there is no working connection. `behind`: there is a
 * connection, but messages that were missed, or that the caller has not taken, are outstanding.
 */
export type LiveState = 'connecting' | 'live' | 'behind';
