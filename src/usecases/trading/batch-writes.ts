/**
 * What has to be written after the decision about a batch. The writes of all orders are collected, so that
 * the storage needs few statements.
 */
import { inEveryLength, mergeCandle, shortestCandle } from '../../domain/candles';
import type { NewFact } from '../../domain/events';
import { tradePosting, walletAccount } from '../../domain/ledger';
import { tradeWithId } from '../../domain/trade';
import type { AccountChange, Address, Candle, Market, Position, Posting } from '../../domain/types';
import { tradeFact } from '../../events/facts';
import type { IdempotencyRecord } from '../../ports/storage';
import { executedTradeView, type ExecutedTradeView } from '../../views/trade';
import { createPositionMap } from './position-map';
import { receipts, type ExecutedOrder } from './batch-decision';

/** The writes that do not need the ids of the trades. */
export interface BatchWrites {
  markets: Market[];
  positions: Position[];
  /** Three rows for each traded market: its candles of the minute, the hour and the day. */
  candles: Candle[];
  /** One change for each account, in ascending order of the account's id. */
  accounts: AccountChange[];
}

export function batchWrites(executed: readonly ExecutedOrder[]): BatchWrites {
  const markets = new Map<number, Market>();
  const positions = createPositionMap();
  for (const { market, accepted } of executed) {
    markets.set(market.id, market);
    positions.set(accepted.position);
  }
  return {
    markets: [...markets.values()],
    positions: positions.values(),
    candles: mergedCandles(executed),
    accounts: accountChangesOf(executed),
  };
}

/** One candle of each length for each market. All trades of a batch on one market have the same instant. */
function mergedCandles(executed: readonly ExecutedOrder[]): Candle[] {
  const buckets = new Map<number, Candle>();
  for (const { accepted } of executed) {
    const candle = shortestCandle(accepted.trade, accepted.yesPriceBefore);
    const earlier = buckets.get(candle.marketId);
    buckets.set(candle.marketId, earlier === undefined ? candle : mergeCandle(earlier, candle));
  }
  return [...buckets.values()].flatMap(inEveryLength);
}

function accountChangesOf(executed: readonly ExecutedOrder[]): AccountChange[] {
  const changes = new Map<Address, Required<AccountChange>>();
  for (const { accepted } of executed) {
    const { trade, market, openPositions, totalPositions } = accepted;
    const change = changeOf(changes, trade.wallet);
    change.balance += receipts(trade);
    change.activityCount += 1;
    change.openPositions += openPositions;
    change.totalPositions += totalPositions;
    if (trade.fee > 0n) changeOf(changes, market.creator).balance += trade.fee;
  }
  return [...changes.values()].sort((left, right) => (left.id < right.id ? -1 : 1));
}

function changeOf(changes: Map<Address, Required<AccountChange>>, wallet: Address): Required<AccountChange> {
  const known = changes.get(wallet);
  if (known !== undefined) return known;
  const counters = { activityCount: 0, openPositions: 0, totalPositions: 0 };
  const fresh = { id: walletAccount(wallet), balance: 0n, reserved: 0n, ...counters };
  changes.set(wallet, fresh);
  return fresh;
}

/**
 * The writes that need the ids of the trades, and the answers: a posting, a fact and a view for each trade, and
 * a record for each idempotency key.
 */
export interface CompletedBatch {
  postings: Posting[];
  events: NewFact[];
  records: IdempotencyRecord[];
  views: ExecutedTradeView[];
}

/** `ids` are the ids of the trades, in the same sequence as `executed`. */
export function completeBatch(executed: readonly ExecutedOrder[], ids: readonly number[]): CompletedBatch {
  const completed: CompletedBatch = { postings: [], events: [], records: [], views: [] };
  executed.forEach(({ order, accepted, market, trader, creator }, index) => {
    const id = ids[index];
    if (id === undefined) throw new Error('The storage has given fewer ids than there are trades');
    const trade = tradeWithId(accepted.trade, id);
    const view = executedTradeView(trade, accepted.position, trader.balance);
    const { wallet, idempotencyKey: key } = order.command;
    const { requestHash } = order;
    completed.postings.push(tradePosting(id, accepted.posting));
    completed.events.push(tradeFact({ trade, market, trader, creator }));
    completed.views.push(view);
    if (key !== null && requestHash !== null) {
      const answer = JSON.stringify(view);
      completed.records.push({ wallet, key, requestHash, answer, createdAt: trade.createdAt });
    }
  });
  return completed;
}
