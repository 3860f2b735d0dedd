import type { CreatorStatus, MarketStatus, Outcome, Side, TradeAction } from './types';

export interface MarketEventData {
  marketId: number;
  tickerId: string;
  slug: string;
  question: string;
  category: string;
  status: MarketStatus;
  resolveDate: string;
}

export interface EventMap {
  'market.created': MarketEventData;
  'market.resolving': MarketEventData;
  /** The voters agree. The market is resolved at `payAt` unless an operator decides before. */
  'market.proposed': MarketEventData & {
    outcome: Side;
    oracleConsensus: number;
    proposedAt: string;
    payAt: string;
  };
  /**
   * Only an operator can decide this market. `proposal` is the outcome on which the voters agreed, or `null`.
   */
  'market.escalated': MarketEventData & { proposal: Side | null };
  'market.resolved': MarketEventData & { outcome: Outcome; resolvedAt: string; oracleConsensus: number };
  trade: {
    id: number;
    marketId: number;
    side: Side;
    action: TradeAction;
    shares: number;
    pricePerShare: number;
    totalCost: number;
    fee: number;
    /** A shortened address: the public channels do not show whole addresses of traders. */
    traderAddress: string;
    yesPrice: number;
    noPrice: number;
    volume: number;
    liquidity: number;
    createdAt: string;
  };
  price: { marketId: number; yesPrice: number; noPrice: number; volume: number; liquidity: number };
  'account.trade': {
    address: string;
    id: number;
    marketId: number;
    side: Side;
    action: TradeAction;
    shares: number;
    pricePerShare: number;
    totalCost: number;
    fee: number;
    realizedPnl: number;
    createdAt: string;
  };
  'account.balance': {
    address: string;
    balance: number;
    reserved: number;
    available: number;
    reason: string;
  };
  'account.settlement': {
    address: string;
    marketId: number;
    side: Side;
    outcome: Outcome;
    shares: number;
    payout: number;
    realizedPnl: number;
  };
  'creator.updated': { address: string; status: CreatorStatus; reason: string | null };
}

export type EventName = keyof EventMap;

const NAMES: Readonly<Record<EventName, true>> = {
  'market.created': true,
  'market.resolving': true,
  'market.proposed': true,
  'market.escalated': true,
  'market.resolved': true,
  trade: true,
  price: true,
  'account.trade': true,
  'account.balance': true,
  'account.settlement': true,
  'creator.updated': true,
};
export const EVENT_NAMES: readonly string[] = Object.keys(NAMES);

/**
 * An event as a listener receives it. `seq` counts the facts without gaps, and all events of one fact have the
 * same `seq` and `marketSeq`. `marketSeq` counts the facts of one market without gaps. It is `null` for facts
 * of creators and of balances, and for payouts.
 */
export interface PublishedEvent<Name extends EventName = EventName> {
  event: Name;
  seq: number;
  marketSeq: number | null;
  /** The time that the transaction gave to the fact, in ISO 8601. */
  ts: string;
  data: EventMap[Name];
}

/** Any event. Its field `event` decides the type of its `data`. */
export type AnyPublishedEvent = { [Name in EventName]: PublishedEvent<Name> }[EventName];

/**
 * Events that an instance emits to its own listeners only. Such an event is no fact: it has no `seq`, other
 * instances do not get it, and it is on no channel.
 */
export interface LocalEventMap {
  /** A consumer has put a fact aside after its handler had failed too often. */
  'consumer.parked': { consumer: string; epoch: string; seq: number; failures: number; error: string };
  /**
   * A webhook was disabled, because it has failed for three days or its endpoint has answered HTTP 410
   * (gone). `seq` is the webhook's position.
   */
  'webhook.disabled': { webhookId: number; epoch: string; seq: number; reason: string };
}

export type LocalEventName = keyof LocalEventMap;

const LOCAL_NAMES: Readonly<Record<LocalEventName, true>> = {
  'consumer.parked': true,
  'webhook.disabled': true,
};
export const LOCAL_EVENT_NAMES: readonly string[] = Object.keys(LOCAL_NAMES);

export interface LocalEvent<Name extends LocalEventName = LocalEventName> {
  event: Name;
  /** In ISO 8601. */
  ts: string;
  data: LocalEventMap[Name];
}

/**
 * An event of a fact that this instance has just committed. It has no `seq`, because some storages, such as
 * Postgres, number facts only after the commit.
 */
export type OwnCommit = { [Name in EventName]: Omit<PublishedEvent<Name>, 'seq'> }[EventName];

/**
 * A fact in the outbox. The fact of a trade becomes the events `trade`, `price`, `account.trade` and
 * `account.balance` when it is relayed, so that a trade writes a single fact.
 */
export interface StoredFact {
  /**
   * The number of the fact. The numbers have no gaps and follow the order of commits. `null` until the fact has
   * its number.
   */
  seq: number | null;
  marketId: number | null;
  marketSeq: number | null;
  /** The kind of fact. `eventsOfFact` knows which events a fact of each kind becomes. */
  kind: string;
  createdAt: number;
  /** The data of the fact, which a storage keeps as JSON text. */
  data: Record<string, unknown>;
}
export type NumberedFact = StoredFact & { seq: number };

export type NewFact = Omit<StoredFact, 'seq'>;
