/**
 * Runs one batch of orders in one storage transaction: locks and reads rows, decides
 * (batch-decision.ts), writes (batch-writes.ts).
 */
import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { BoundedMap } from '../../domain/bounded-map';
import type { PredictionMarketError } from '../../domain/errors';
import { walletAccount } from '../../domain/ledger';
import { orderText } from '../../domain/order-terms';
import type { TradeRules } from '../../domain/trade';
import type { Address } from '../../domain/types';
import type { Transaction } from '../../ports/storage';
import type { ExecutedTradeView } from '../../views/trade';
import type { PlaceTradeCommand } from '../commands';
import type { Context } from '../context';
import { factNow } from '../fact-now';
import {
  batchStateOf,
  decideOrders,
  type BatchInput,
  type BatchState,
  type Decision,
  type ExecutedOrder,
  type TradeOrder,
} from './batch-decision';
import { batchWrites, completeBatch } from './batch-writes';

/** How many orders are decided before the event loop gets a turn. */
const PART = 256;

export type TradeAnswer =
  | { accepted: true; view: ExecutedTradeView; replayed: boolean }
  | { accepted: false; error: PredictionMarketError };

export function tradeOrder(command: PlaceTradeCommand, marketId: number): TradeOrder {
  const requestHash = command.idempotencyKey === null ? null : hashOfOrder(command, marketId);
  return { command, marketId, requestHash };
}

/** The id of the market is hashed, because a caller can name a market in three ways. */
function hashOfOrder(command: PlaceTradeCommand, marketId: number): string {
  return createHash('sha256')
    .update(`trade|${marketId}|${orderText(command)}`)
    .digest('hex');
}

/**
 * The creators of the markets that were traded, by market id. The creator of a market never changes, so an
 * entry is never out of date.
 */
export type MarketCreators = Map<number, Address>;

/** The most creators in memory, more than the markets of one batch. A forgotten creator is read again. */
const MOST_CREATORS = 10_000;

export function marketCreators(): MarketCreators {
  return new BoundedMap(MOST_CREATORS);
}

/**
 * Runs the orders in one transaction. Resolves with one answer for each order, in the same sequence. If the promise
 * rejects with SERVICE_UNAVAILABLE, the orders may have been executed. With any other error, no order was
 * executed.
 */
export async function runTradeBatch(
  context: Context,
  orders: readonly TradeOrder[],
  creators: MarketCreators,
): Promise<TradeAnswer[]> {
  const rules = { pricing: context.pricing, feeBasisPoints: context.config.creatorFeeBasisPoints };
  let executed = 0;
  const answers = await context.storage.transaction(
    async (transaction) => {
      // The storage may run this function again from the start. Then the batch is decided anew.
      const state = batchStateOf(await loadRows(transaction, context, orders, creators));
      const { decisions, views } = await decideAndWrite(transaction, state, orders, rules);
      executed = views.length;
      return decisions.map((decision) => answerOf(decision, views));
    },
    { purpose: 'trades' },
  );
  if (executed > 0) context.eventsAppended(executed);
  return answers;
}

/**
 * Locks markets, then accounts, which is the lock order of the storage port. If this instance knows the
 * creators of all markets, it sends the statement that locks the accounts without waiting for the market rows.
 */
async function loadRows(
  transaction: Transaction,
  context: Context,
  orders: readonly TradeOrder[],
  creators: MarketCreators,
): Promise<BatchInput> {
  const marketIds = [...new Set(orders.map((order) => order.marketId))];
  const locking = transaction.markets.lock(marketIds);
  if (!marketIds.every((id) => creators.has(id))) {
    for (const { id, creator } of await locking) creators.set(id, creator);
  }
  const ofKnown = orders.filter((order) => creators.has(order.marketId));
  const wallets = new Set<Address>(ofKnown.map(({ command }) => command.wallet));
  for (const id of marketIds) {
    const creator = creators.get(id);
    if (creator !== undefined) wallets.add(creator);
  }
  const [markets, accounts, records, positions] = await Promise.all([
    locking,
    wallets.size === 0 ? [] : transaction.accounts.lock([...wallets].map(walletAccount), context.clock.now()),
    findRecords(transaction, orders),
    findPositions(transaction, ofKnown),
  ]);
  // The time is read once the locks are held: an order that waited for them beyond the resolve date is too
  // late.
  return { markets, accounts, positions, records, now: factNow(context) };
}

async function findRecords(
  transaction: Transaction,
  orders: readonly TradeOrder[],
): Promise<BatchInput['records']> {
  const keys = new Map<string, { wallet: Address; key: string }>();
  for (const { wallet, idempotencyKey: key } of orders.map((order) => order.command)) {
    if (key !== null) keys.set(`${wallet} ${key}`, { wallet, key });
  }
  return keys.size === 0 ? [] : transaction.idempotency.find([...keys.values()]);
}

async function findPositions(
  transaction: Transaction,
  orders: readonly TradeOrder[],
): Promise<BatchInput['positions']> {
  const keys = new Map<string, { marketId: number; wallet: Address }>();
  for (const { marketId, command } of orders) {
    const { wallet } = command;
    keys.set(`${marketId} ${wallet}`, { marketId, wallet });
  }
  return keys.size === 0 ? [] : transaction.positions.find([...keys.values()]);
}

/**
 * Decides the orders part by part, so that the storage writes the trades of one part while the next part is
 * decided. Rows that several orders change (markets, accounts, positions, candles) are written once, in their
 * final state.
 */
async function decideAndWrite(
  transaction: Transaction,
  state: BatchState,
  orders: readonly TradeOrder[],
  rules: TradeRules,
): Promise<{ decisions: Decision[]; views: ExecutedTradeView[] }> {
  const decisions: Decision[] = [];
  const completed: Promise<ExecutedTradeView[]>[] = [];
  for (let start = 0; start < orders.length; start += PART) {
    // This wait lets the event loop send the statements of the previous part and read answers of the storage.
    if (start > 0) await nextTurn();
    const decidedBefore = state.executed.length;
    decisions.push(...decideOrders(state, orders.slice(start, start + PART), rules));
    const executed = state.executed.slice(decidedBefore);
    if (executed.length > 0) completed.push(writeTrades(transaction, executed));
  }
  if (completed.length === 0) return { decisions, views: [] };
  const writes = batchWrites(state.executed);
  const [views] = await Promise.all([
    Promise.all(completed),
    transaction.markets.update(writes.markets),
    transaction.accounts.apply(writes.accounts, state.now),
    transaction.positions.save(writes.positions),
    transaction.candles.merge(writes.candles),
  ]);
  return { decisions, views: views.flat() };
}

function writeTrades(
  transaction: Transaction,
  executed: readonly ExecutedOrder[],
): Promise<ExecutedTradeView[]> {
  const written = transaction.trades
    .insert(executed.map(({ accepted }) => accepted.trade))
    .then((ids) => writeCompleted(transaction, executed, ids));
  // The code that awaits `written` reports the failure. If an earlier error keeps that code from running, this
  // handler avoids an unhandled rejection.
  written.catch(() => undefined);
  return written;
}

async function writeCompleted(
  transaction: Transaction,
  executed: readonly ExecutedOrder[],
  ids: readonly number[],
): Promise<ExecutedTradeView[]> {
  const { postings, events, records, views } = completeBatch(executed, ids);
  await Promise.all([
    transaction.postings.insert(postings),
    transaction.events.append(events),
    records.length > 0 ? transaction.idempotency.insert(records) : undefined,
  ]);
  return views;
}

function answerOf(decision: Decision, views: readonly ExecutedTradeView[]): TradeAnswer {
  if (decision.kind === 'refused') return { accepted: false, error: decision.error };
  if (decision.kind === 'replayed') {
    // The record has the hash of a trade (`hashOfOrder`), so `completeBatch` wrote its answer.
    return { accepted: true, view: JSON.parse(decision.answer) as ExecutedTradeView, replayed: true };
  }
  const view = views[decision.index];
  if (view === undefined) throw new Error('A decision without its trade');
  return { accepted: true, view, replayed: decision.kind === 'copied' };
}
