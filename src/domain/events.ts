import type { CreatorStatus, MarketStatus, Outcome, Side, TradeAction } from './types';

export interface MarketEventData {
  /** The number of the market. */
  marketId: number;
  /** The readable number of the market. */
  tickerId: string;
  /** The name of the market in addresses, made from its question. */
  slug: string;
  /** The question of the market. */
  question: string;
  /** One of crypto, sports, politics, science, entertainment, other. */
  category: string;
  /**
   * open: it is traded; resolving: trading has ended, and there is no outcome yet; resolved: it has an
   * outcome.
   */
  status: MarketStatus;
  /** When trading ends, ISO 8601. */
  resolveDate: string;
}

export interface EventMap {
  'market.created': MarketEventData;
  'market.resolving': MarketEventData;
  /** The voters agree. The market is resolved at `payAt` unless an operator decides before. */
  'market.proposed': MarketEventData & {
    /** What is proposed. */
    outcome: Side;
    /** Confidence of the oracle. */
    oracleConsensus: number;
    /** When the voters agreed, ISO 8601. */
    proposedAt: string;
    /** When the market is resolved, unless an operator decides before, ISO 8601. */
    payAt: string;
  };
  /**
   * Only an operator can decide this market. `proposal` is the outcome on which the voters agreed, or `null`.
   */
  'market.escalated': MarketEventData & {
    /** The outcome on which the voters agreed, or null. */
    proposal: Side | null;
  };
  'market.resolved': MarketEventData & {
    /** What the market is resolved to; VOID pays 0.50 USD for each share. */
    outcome: Outcome;
    /** When the outcome was decided, ISO 8601. */
    resolvedAt: string;
    /** Confidence of the oracle; 1 when an operator decided. */
    oracleConsensus: number;
  };
  trade: {
    /** The number of the trade, over all markets. */
    id: number;
    /** The number of the market. */
    marketId: number;
    /** The side of the shares; a share pays 1 USD if its side wins. */
    side: Side;
    /** Whether the shares are bought or sold. */
    action: TradeAction;
    /** How many shares were traded, with at most 6 decimals. */
    shares: number;
    /** Effective price per share, before the fee. */
    pricePerShare: number;
    /** What the buyer paid, with the fee, or what the seller received, after the fee, USD. */
    totalCost: number;
    /** The creator's fee, USD. */
    fee: number;
    /** Shortened: the public channels do not show whole addresses of traders. */
    traderAddress: string;
    /** Price of YES after the fact. */
    yesPrice: number;
    /** Price of NO after the fact. */
    noPrice: number;
    /** Total trade volume of the market after the fact, before fees, USD. */
    volume: number;
    /** What the pool would pay if every holder sold after the fact, USD. */
    liquidity: number;
    /** When the trade was executed, ISO 8601. */
    createdAt: string;
  };
  price: {
    /** The number of the market. */
    marketId: number;
    /** Price of YES after the fact. */
    yesPrice: number;
    /** Price of NO after the fact. */
    noPrice: number;
    /** Total trade volume of the market after the fact, before fees, USD. */
    volume: number;
    /** What the pool would pay if every holder sold after the fact, USD. */
    liquidity: number;
  };
  'account.trade': {
    /** EVM address in EIP-55 form. */
    address: string;
    /** The number of the trade, over all markets. */
    id: number;
    /** The number of the market. */
    marketId: number;
    /** The side of the shares; a share pays 1 USD if its side wins. */
    side: Side;
    /** Whether the shares are bought or sold. */
    action: TradeAction;
    /** How many shares were traded, with at most 6 decimals. */
    shares: number;
    /** Effective price per share, before the fee. */
    pricePerShare: number;
    /** What the buyer paid, with the fee, or what the seller received, after the fee, USD. */
    totalCost: number;
    /** The creator's fee, USD. */
    fee: number;
    /** Profit or loss that the trade realized, USD. */
    realizedPnl: number;
    /** When the trade was executed, ISO 8601. */
    createdAt: string;
  };
  'account.balance': {
    /** EVM address in EIP-55 form. */
    address: string;
    /** Money of the wallet, USD. */
    balance: number;
    /** The part held back for withdrawals, USD. */
    reserved: number;
    /** `balance - reserved`, USD. */
    available: number;
    /** Why the balance changed. */
    reason: string;
  };
  'account.settlement': {
    /** EVM address in EIP-55 form. */
    address: string;
    /** The number of the market. */
    marketId: number;
    /** The side of the shares; a share pays 1 USD if its side wins. */
    side: Side;
    /** What the market is resolved to; VOID pays 0.50 USD for each share. */
    outcome: Outcome;
    /** How many shares the position had, with at most 6 decimals. */
    shares: number;
    /** What the position was paid, USD. */
    payout: number;
    /** Profit or loss that the payout realized, USD. */
    realizedPnl: number;
  };
  'creator.updated': {
    /** EVM address in EIP-55 form. */
    address: string;
    /** Only an approved creator may create markets. */
    status: CreatorStatus;
    /**
     * Why operators rejected the creator; else null. Only the host's handlers also get the reason of a suspension.
     */
    reason: string | null;
  };
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
  /** The name of the event, which decides the type of `data`. */
  event: Name;
  /** The number of the fact over all facts, without gaps. */
  seq: number;
  /** The number of the fact over all facts of its market, without gaps; `null` for facts that have no such number. */
  marketSeq: number | null;
  /** The time that the transaction gave to the fact, in ISO 8601. */
  ts: string;
  /** The fields of this event. */
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
  /** The name of the event, which decides the type of `data`. */
  event: Name;
  /** In ISO 8601. */
  ts: string;
  /** The fields of this event. */
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
   * The number of the fact. The numbers have no gaps, and keep the order of the facts of each market. `null` until
   * the fact has its number.
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
