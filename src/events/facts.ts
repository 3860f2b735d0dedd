/**
 * Outbox rows and the events that they become. A row is one fact, written in the transaction that makes it
 * true; the relay expands it once it is committed. Rows hold addresses in lower case and USD as floats: the
 * dearer forms (EIP-55, ISO 8601) are made when somebody listens.
 */
import type {
  AnyPublishedEvent,
  EventMap,
  EventName,
  MarketEventData,
  NewOutboxEvent,
  OutboxEvent,
} from '../domain/events';
import { displayLiquidity, tickerId } from '../domain/market';
import type { Account, Address, Creator, Market, NewTrade, Outcome, Trade } from '../domain/types';
import {
  abbreviateAddress,
  checksumAddress,
  isoTime,
  oppositePrice,
  price,
  usd,
  usdPerShare,
} from '../views/format';

/** What an `account.balance` event tells of an account, after the change. */
export type BalanceAfter = Pick<Account, 'balance' | 'reserved'>;
/** Why a balance changed; `fee` is the creator's share of somebody's trade. */
export type BalanceReason = 'trade' | 'fee' | 'deposit' | 'settlement' | 'withdrawal';

type MarketEventKind = 'market.created' | 'market.resolving' | 'market.resolved';
type RowKind = MarketEventKind | 'trade' | 'settlement' | 'balance' | 'creator.updated';

interface BalanceFacts {
  wallet: Address;
  balance: number;
  reserved: number;
  available: number;
  reason: BalanceReason;
}

interface TradeFacts {
  trade: Omit<
    EventMap['trade'],
    'traderAddress' | 'createdAt' | 'yesPrice' | 'noPrice' | 'volume' | 'liquidity'
  >;
  price: EventMap['price'];
  wallet: Address;
  realizedPnl: number;
  balances: BalanceFacts[];
}

interface SettlementFacts {
  settlement: Omit<EventMap['account.settlement'], 'address'>;
  wallet: Address;
  /** `null` for a payout of 0: the balance stays as it was. */
  balance: BalanceFacts | null;
}

/** What each kind of row holds; JSON-ready. */
interface RowData {
  'market.created': EventMap['market.created'];
  'market.resolving': EventMap['market.resolving'];
  'market.resolved': EventMap['market.resolved'];
  trade: TradeFacts;
  settlement: SettlementFacts;
  balance: BalanceFacts;
  'creator.updated': EventMap['creator.updated'];
}

// --- rows ---

/** `market.marketSeq` is this event's number: the caller has raised it. `market.resolved` needs the resolution. */
export function marketEvent(kind: MarketEventKind, market: Market, now: number): NewOutboxEvent {
  const data = marketEventData(market);
  if (kind !== 'market.resolved') return row(kind, market, now, { ...data });
  if (market.resolution === null) throw new Error(`Market ${market.id} has no resolution to tell of`);
  const { outcome, resolvedAt, oracleConsensus } = market.resolution;
  return row(kind, market, now, { ...data, outcome, resolvedAt: isoTime(resolvedAt), oracleConsensus });
}

/**
 * One row for a trade; it becomes `trade`, `price`, `account.trade` and `account.balance` (the trader's, and the
 * creator's when a fee went to another wallet).
 */
export function tradeEvent(executed: {
  trade: Trade;
  /** After the trade, `marketSeq` raised. */
  market: Market;
  trader: BalanceAfter;
  /** `null` when the creator got nothing, or is the trader. */
  creator: BalanceAfter | null;
}): NewOutboxEvent {
  const { trade, market, trader, creator } = executed;
  const balances = [balanceFacts(trade.wallet, trader, 'trade')];
  if (creator !== null) balances.push(balanceFacts(market.creator, creator, 'fee'));
  return row<'trade'>('trade', market, trade.createdAt, {
    trade: {
      id: trade.id,
      marketId: trade.marketId,
      side: trade.side,
      action: trade.action,
      shares: usd(trade.shares),
      pricePerShare: usdPerShare(trade.notional, trade.shares),
      totalCost: usd(trade.totalCost),
      fee: usd(trade.fee),
    },
    price: {
      marketId: market.id,
      yesPrice: price(trade.yesPriceAfter),
      noPrice: oppositePrice(trade.yesPriceAfter),
      volume: usd(market.volume),
      liquidity: usd(displayLiquidity(market)),
    },
    wallet: trade.wallet,
    realizedPnl: usd(trade.realizedPnl),
    balances,
  });
}

/**
 * The payout of one position, from its row of the wallet's history; it becomes `account.settlement` and, when
 * money moved, `account.balance`. It has no place in the market's own sequence.
 */
export function settlementEvent(settled: {
  trade: NewTrade;
  outcome: Outcome;
  /** The wallet's account after the payout. */
  account: BalanceAfter;
}): NewOutboxEvent {
  const { trade, outcome, account } = settled;
  return row<'settlement'>('settlement', null, trade.createdAt, {
    settlement: {
      marketId: trade.marketId,
      side: trade.side,
      outcome,
      shares: usd(trade.shares),
      payout: usd(trade.totalCost),
      realizedPnl: usd(trade.realizedPnl),
    },
    wallet: trade.wallet,
    balance: trade.totalCost === 0n ? null : balanceFacts(trade.wallet, account, 'settlement'),
  });
}

/** A wallet's balance after something that is neither a trade nor a settlement. */
export function balanceEvent(account: Account, reason: BalanceReason, now: number): NewOutboxEvent {
  const wallet = account.id.slice('wallet:'.length);
  return row<'balance'>('balance', null, now, balanceFacts(wallet, account, reason));
}

export function creatorEvent(creator: Creator, now: number): NewOutboxEvent {
  const { address, status, rejectedReason } = creator;
  return row<'creator.updated'>('creator.updated', null, now, { address, status, reason: rejectedReason });
}

function row<Kind extends RowKind>(
  kind: Kind,
  market: Pick<Market, 'id' | 'marketSeq'> | null,
  createdAt: number,
  data: RowData[Kind],
): NewOutboxEvent {
  return {
    marketId: market?.id ?? null,
    marketSeq: market?.marketSeq ?? null,
    kind,
    createdAt,
    data: data as unknown as Record<string, unknown>,
  };
}

function marketEventData(market: Market): MarketEventData {
  return {
    marketId: market.id,
    tickerId: tickerId(market.id),
    slug: market.slug,
    question: market.question,
    category: market.category,
    status: market.status,
    resolveDate: isoTime(market.resolveDate),
  };
}

function balanceFacts(
  wallet: Address,
  { balance, reserved }: BalanceAfter,
  reason: BalanceReason,
): BalanceFacts {
  return {
    wallet,
    balance: usd(balance),
    reserved: usd(reserved),
    available: usd(balance - reserved),
    reason,
  };
}

// --- from rows to events ---

type Expansion = { [Name in EventName]: { event: Name; ofMarket: boolean; data: EventMap[Name] } }[EventName];

/**
 * The events that a sequenced row becomes, in the order in which they are told; all carry its `seq`. The market's
 * own events carry its `marketSeq` too, those of accounts do not. A kind that is unknown here (written by a
 * newer version beside us) becomes nothing.
 */
export function expandOutboxEvent(event: OutboxEvent): AnyPublishedEvent[] {
  const { seq, marketSeq } = event;
  if (seq === null) throw new Error('An event is published once it has its place in the sequence');
  const ts = isoTime(event.createdAt);
  return expansionsOf(event, ts).map(({ event: name, ofMarket, data }) => {
    // Name and data come from one expansion, which pairs them.
    return { event: name, seq, marketSeq: ofMarket ? marketSeq : null, ts, data } as AnyPublishedEvent;
  });
}

function expansionsOf(event: OutboxEvent, ts: string): Expansion[] {
  switch (event.kind as RowKind) {
    case 'market.created':
      return [{ event: 'market.created', ofMarket: true, data: dataOf<'market.created'>(event) }];
    case 'market.resolving':
      return [{ event: 'market.resolving', ofMarket: true, data: dataOf<'market.resolving'>(event) }];
    case 'market.resolved':
      return [{ event: 'market.resolved', ofMarket: true, data: dataOf<'market.resolved'>(event) }];
    case 'trade':
      return expandTrade(dataOf<'trade'>(event), ts);
    case 'settlement':
      return expandSettlement(dataOf<'settlement'>(event));
    case 'balance':
      return [expandBalance(dataOf<'balance'>(event))];
    case 'creator.updated':
      return [expandCreator(dataOf<'creator.updated'>(event))];
    default:
      return [];
  }
}

/** What `row` has put in: the kind says which shape it is. */
function dataOf<Kind extends RowKind>(event: OutboxEvent): RowData[Kind] {
  return event.data as unknown as RowData[Kind];
}

function expandTrade(
  { trade, price: prices, wallet, realizedPnl, balances }: TradeFacts,
  createdAt: string,
): Expansion[] {
  const { yesPrice, noPrice, volume, liquidity } = prices;
  const traderAddress = abbreviateAddress(wallet);
  const address = checksumAddress(wallet);
  return [
    {
      event: 'trade',
      ofMarket: true,
      data: { ...trade, traderAddress, yesPrice, noPrice, volume, liquidity, createdAt },
    },
    { event: 'price', ofMarket: true, data: prices },
    { event: 'account.trade', ofMarket: false, data: { address, ...trade, realizedPnl, createdAt } },
    ...balances.map(expandBalance),
  ];
}

function expandSettlement({ settlement, wallet, balance }: SettlementFacts): Expansion[] {
  const data = { address: checksumAddress(wallet), ...settlement };
  const settled: Expansion = { event: 'account.settlement', ofMarket: false, data };
  return balance === null ? [settled] : [settled, expandBalance(balance)];
}

function expandBalance({ wallet, ...figures }: BalanceFacts): Expansion {
  return {
    event: 'account.balance',
    ofMarket: false,
    data: { address: checksumAddress(wallet), ...figures },
  };
}

function expandCreator({ address, ...rest }: EventMap['creator.updated']): Expansion {
  return { event: 'creator.updated', ofMarket: false, data: { address: checksumAddress(address), ...rest } };
}
