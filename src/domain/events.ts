/** The events of the service: names and payloads as the emitter and the WebSocket bridge show them. */
import type { CreatorStatus, Outcome, Side, TradeAction } from './types';

export interface MarketEventData {
  marketId: number;
  tickerId: string;
  slug: string;
  question: string;
  category: string;
  status: 'open' | 'resolving' | 'resolved';
  resolveDate: string;
}

export interface EventMap {
  'market.created': MarketEventData;
  'market.resolving': MarketEventData;
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
    /** Abbreviated: the public channel does not name wallets whole. */
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
  'market.resolved': true,
  trade: true,
  price: true,
  'account.trade': true,
  'account.balance': true,
  'account.settlement': true,
  'creator.updated': true,
};
export const EVENT_NAMES: readonly string[] = Object.keys(NAMES);

/** What a listener receives. `seq` is global and gap-free, `marketSeq` dense per market (null for the others). */
export interface PublishedEvent<Name extends EventName = EventName> {
  event: Name;
  seq: number;
  marketSeq: number | null;
  /** ISO 8601: when the transaction decided it. */
  ts: string;
  data: EventMap[Name];
}

/** Any event; its `event` tells the type of its `data`. */
export type AnyPublishedEvent = { [Name in EventName]: PublishedEvent<Name> }[EventName];

/** An event of a fact that this instance has just committed. It has no `seq` yet: numbers are given later. */
export type OwnCommit = { [Name in EventName]: Omit<PublishedEvent<Name>, 'seq'> }[EventName];

/**
 * An outbox row. One row is one fact; a trade's row is expanded into `trade`, `price`, `account.trade`
 * and `account.balance` when it is relayed, so that the hot path writes a single row.
 */
export interface OutboxEvent {
  /** Assigned in commit order, gap-free; `null` until the relay has sequenced the row. */
  seq: number | null;
  marketId: number | null;
  marketSeq: number | null;
  /** Which kind of row this is; `expandOutboxEvent` knows what each becomes. */
  kind: string;
  createdAt: number;
  /** JSON-ready; stored as text. */
  data: Record<string, unknown>;
}
export type NewOutboxEvent = Omit<OutboxEvent, 'seq'>;
