/**
 * The facts of the outbox (docs/specification.md "Facts and events"). Facts contain addresses in lower case and USD
 * as floats. The EIP-55 and ISO 8601 forms in the events of a trade are made after the commit, so that a trade does
 * not wait for them.
 */
import type { EventMap, MarketEventData, NewFact, StoredFact } from '../domain/events';
import { displayLiquidity, tickerId } from '../domain/market';
import type { Proposal } from '../domain/oracle/resolution-state';
import type { Account, Address, Creator, Market, NewTrade, Outcome, Side, Trade } from '../domain/types';
import { isoTime, oppositePrice, price, usd, usdPerShare } from '../views/format';

export type BalanceAfter = Pick<Account, 'balance' | 'reserved'>;
/** Why a balance changed. `fee` is the creator's fee on another wallet's trade. */
export type BalanceReason = 'trade' | 'fee' | 'deposit' | 'settlement' | 'withdrawal';

export type MarketEventKind = 'market.created' | 'market.resolving' | 'market.resolved';
export type FactKind =
  | MarketEventKind
  | 'market.proposed'
  | 'market.escalated'
  | 'trade'
  | 'settlement'
  | 'balance'
  | 'creator.updated';

export interface BalanceFacts {
  wallet: Address;
  balance: number;
  reserved: number;
  available: number;
  reason: BalanceReason;
}

export interface TradeFacts {
  trade: Omit<
    EventMap['trade'],
    'traderAddress' | 'createdAt' | 'yesPrice' | 'noPrice' | 'volume' | 'liquidity'
  >;
  price: EventMap['price'];
  wallet: Address;
  realizedPnl: number;
  balances: BalanceFacts[];
}

export interface SettlementFacts {
  settlement: Omit<EventMap['account.settlement'], 'address'>;
  wallet: Address;
  /** `null` only in facts that an earlier version of the service has written, for a payout of 0. */
  balance: BalanceFacts | null;
}

/** The data of each kind of fact, in a form that can be written as JSON. */
export interface FactData {
  'market.created': EventMap['market.created'];
  'market.resolving': EventMap['market.resolving'];
  'market.proposed': EventMap['market.proposed'];
  'market.escalated': EventMap['market.escalated'];
  'market.resolved': EventMap['market.resolved'];
  trade: TradeFacts;
  settlement: SettlementFacts;
  balance: BalanceFacts;
  'creator.updated': EventMap['creator.updated'];
}

/** A fact about a market. The caller has raised `market.marketSeq`. `market.resolved` needs a resolution. */
export function marketFact(kind: MarketEventKind, market: Market, now: number): NewFact {
  const data = marketEventData(market);
  if (kind !== 'market.resolved') return newFact(kind, market, now, { ...data });
  if (market.resolution === null) throw new Error(`Market ${market.id} has no resolution to tell of`);
  const { outcome, resolvedAt, oracleConsensus } = market.resolution;
  return newFact(kind, market, now, { ...data, outcome, resolvedAt: isoTime(resolvedAt), oracleConsensus });
}

/** A fact about a proposal that is not escalated. The caller has raised `market.marketSeq`. */
export function proposedFact(market: Market, { outcome, confidence, proposedAt, payAt }: Proposal): NewFact {
  return newFact<'market.proposed'>('market.proposed', market, proposedAt, {
    ...marketEventData(market),
    outcome,
    oracleConsensus: confidence,
    proposedAt: isoTime(proposedAt),
    payAt: isoTime(payAt ?? proposedAt),
  });
}

export function escalatedFact(market: Market, proposal: Side | null): NewFact {
  const data = { ...marketEventData(market), proposal };
  return newFact<'market.escalated'>('market.escalated', market, market.lastFactAt, data);
}

/**
 * The fact of a trade. It becomes the events `trade`, `price`, `account.trade`, and `account.balance` for each
 * changed balance.
 */
export function tradeFact(executed: {
  trade: Trade;
  /** The market after the trade, with the next `marketSeq`. */
  market: Market;
  trader: BalanceAfter;
  /** `null` when the creator got no fee or is the trader. */
  creator: BalanceAfter | null;
}): NewFact {
  const { trade, market, trader, creator } = executed;
  const balances = [balanceFacts(trade.wallet, trader, 'trade')];
  if (creator !== null) balances.push(balanceFacts(market.creator, creator, 'fee'));
  return newFact<'trade'>('trade', market, trade.createdAt, {
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
 * The payout of one position. The fact becomes `account.settlement` and, if money moved, `account.balance`. It has no
 * `marketSeq`.
 */
export function settlementFact(settled: {
  trade: NewTrade;
  outcome: Outcome;
  account: BalanceAfter;
}): NewFact {
  const { trade, outcome, account } = settled;
  return newFact<'settlement'>('settlement', null, trade.createdAt, {
    settlement: {
      marketId: trade.marketId,
      side: trade.side,
      outcome,
      shares: usd(trade.shares),
      payout: usd(trade.totalCost),
      realizedPnl: usd(trade.realizedPnl),
    },
    wallet: trade.wallet,
    balance: balanceFacts(trade.wallet, account, 'settlement'),
  });
}

/** The fact of a wallet's new balance, after a change that is neither a trade nor a position payout. */
export function balanceFact(
  wallet: Address,
  account: BalanceAfter,
  reason: BalanceReason,
  now: number,
): NewFact {
  return newFact<'balance'>('balance', null, now, balanceFacts(wallet, account, reason));
}

export function creatorFact(creator: Creator, now: number): NewFact {
  const { address, status, rejectedReason } = creator;
  return newFact<'creator.updated'>('creator.updated', null, now, {
    address,
    status,
    reason: rejectedReason,
  });
}

function newFact<Kind extends FactKind>(
  kind: Kind,
  market: Pick<Market, 'id' | 'marketSeq'> | null,
  createdAt: number,
  data: FactData[Kind],
): NewFact {
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

export function dataOf<Kind extends FactKind>(fact: StoredFact): FactData[Kind] {
  return fact.data as unknown as FactData[Kind];
}
