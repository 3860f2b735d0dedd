/**
 * The decision about a batch of orders (docs/specification.md "Trading"): pure code on state in memory. Orders
 * are decided in sequence, and each order sees the effects of earlier orders. A refused order changes nothing.
 * All writes of the batch come out together, so that the storage needs few statements.
 */
import { inEveryLength, mergeCandle, shortestCandle } from '../../domain/candles';
import { PredictionMarketError } from '../../domain/errors';
import type { NewFact } from '../../domain/events';
import { tradePosting, walletAccount } from '../../domain/ledger';
import { decideTrade, type AcceptedTrade, type TradeRules } from '../../domain/trade';
import type {
  Account,
  AccountChange,
  AccountId,
  Address,
  Candle,
  Market,
  NewTrade,
  Position,
  Posting,
  Trade,
} from '../../domain/types';
import type { IdempotencyRecord } from '../../ports/storage';
import { tradeFact } from '../../events/facts';
import { executedTradeView, type ExecutedTradeView } from '../../views/trade';
import type { PlaceTradeCommand } from '../commands';
import { marketNotFound } from '../markets/market-lookup';
import { createPositionMap, type PositionMap } from './position-map';

export interface TradeOrder {
  command: PlaceTradeCommand;
  marketId: number;
  /**
   * A hash of the order's terms. It tells whether two orders with one idempotency key are the same. `null` for
   * an order without a key.
   */
  requestHash: string | null;
}

/**
 * The input of the decision about a batch. The transaction holds the locks of the markets and accounts. These
 * locks also protect the positions and the idempotency records from other transactions.
 */
export interface BatchInput {
  markets: readonly Market[];
  /** The accounts of the traders and of the creators of the markets. */
  accounts: readonly Account[];
  positions: readonly Position[];
  records: readonly IdempotencyRecord[];
  now: number;
}

type Funds = Pick<Account, 'balance' | 'reserved'>;

/** A trade that is decided, and the state after it. Only the id of the trade is missing. */
export interface ExecutedOrder {
  order: TradeOrder;
  accepted: AcceptedTrade;
  /** The market after the trade, with the next `marketSeq`. */
  market: Market;
  trader: Funds;
  /** `null` when the creator gets nothing or is the trader. */
  creator: Funds | null;
}

export type Decision =
  /**
   * `index` is a place in `BatchState.executed`. A copied decision belongs to a later order with the same
   * idempotency key.
   */
  | { kind: 'executed' | 'copied'; index: number }
  /** The stored JSON of an earlier answer. */
  | { kind: 'replayed'; answer: string }
  | { kind: 'refused'; error: PredictionMarketError };

/** The state while the orders of a batch are decided. It starts from a `BatchInput`, which stays unchanged. */
export interface BatchState {
  now: number;
  markets: Map<number, Market>;
  funds: Map<AccountId, Funds>;
  positions: PositionMap;
  remembered: Map<string, { requestHash: string | null; decision: Decision }>;
  /** All orders that were executed so far. */
  executed: ExecutedOrder[];
}

/**
 * Decides the orders one after the other and updates the state. Returns one decision for each order, in the
 * same sequence.
 */
export function decideOrders(
  state: BatchState,
  orders: readonly TradeOrder[],
  rules: TradeRules,
): Decision[] {
  return orders.map((order) => decideOrder(state, order, rules));
}

export function batchStateOf({ now, markets, accounts, positions, records }: BatchInput): BatchState {
  return {
    now,
    markets: new Map(markets.map((market) => [market.id, market])),
    funds: new Map(accounts.map((account) => [account.id, account])),
    positions: createPositionMap(positions),
    remembered: new Map(
      records.map(({ wallet, key, requestHash, answer }) => [
        rememberedAs(wallet, key),
        { requestHash, decision: { kind: 'replayed', answer } },
      ]),
    ),
    executed: [],
  };
}

function rememberedAs(wallet: Address, idempotencyKey: string): string {
  return `${wallet} ${idempotencyKey}`;
}

function decideOrder(state: BatchState, order: TradeOrder, rules: TradeRules): Decision {
  const { command, marketId } = order;
  const repeated = repeatedDecision(state, order);
  if (repeated !== null) return repeated;
  const market = state.markets.get(marketId);
  if (market === undefined) return { kind: 'refused', error: marketNotFound(command.market) };
  const { wallet, side, action, size, bounds } = command;
  const funds = fundsOf(state, wallet);
  const position = state.positions.get(marketId, side, wallet) ?? null;
  const available = funds.balance - funds.reserved;
  const sized = { wallet, side, action, size, bounds, now: state.now };
  const decision = decideTrade({ market, position, available }, sized, rules);
  if (!decision.accepted) return { kind: 'refused', error: decision.error };
  return execute(state, order, decision);
}

/**
 * The decision about an order whose idempotency key was used before, in this batch or earlier: such an order
 * does not trade again. `null` for a new key.
 */
function repeatedDecision(state: BatchState, { command, requestHash }: TradeOrder): Decision | null {
  const { wallet, idempotencyKey } = command;
  if (idempotencyKey === null) return null;
  const remembered = state.remembered.get(rememberedAs(wallet, idempotencyKey));
  if (remembered === undefined) return null;
  if (remembered.requestHash === requestHash) return remembered.decision;
  const message = 'This idempotency key was used for another order';
  return { kind: 'refused', error: new PredictionMarketError('IDEMPOTENCY_CONFLICT', message) };
}

function fundsOf(state: BatchState, wallet: Address): Funds {
  const funds = state.funds.get(walletAccount(wallet));
  if (funds === undefined) throw new Error(`The account of ${wallet} is not among those of the batch`);
  return funds;
}

function execute(state: BatchState, order: TradeOrder, accepted: AcceptedTrade): Decision {
  const { wallet, idempotencyKey } = order.command;
  const { market, position, trade } = accepted;
  // The market is changed in place: the decision has just made this object, and no other code refers to it.
  market.marketSeq += 1;
  const index = state.executed.length;
  state.markets.set(market.id, market);
  state.positions.set(position);
  credit(state, wallet, receipts(trade));
  if (trade.fee > 0n) credit(state, market.creator, trade.fee);
  const creatorPaid = trade.fee > 0n && market.creator !== wallet;
  state.executed.push({
    order,
    accepted,
    market,
    trader: fundsOf(state, wallet),
    creator: creatorPaid ? fundsOf(state, market.creator) : null,
  });
  if (idempotencyKey !== null) {
    const { requestHash } = order;
    state.remembered.set(rememberedAs(wallet, idempotencyKey), {
      requestHash,
      decision: { kind: 'copied', index },
    });
  }
  return { kind: 'executed', index };
}

function credit(state: BatchState, wallet: Address, amount: bigint): void {
  const { balance, reserved } = fundsOf(state, wallet);
  state.funds.set(walletAccount(wallet), { balance: balance + amount, reserved });
}

/** What the trader receives, with the sign that `tradeEntries` uses: negative for a purchase. */
function receipts({ action, totalCost }: NewTrade): bigint {
  return action === 'buy' ? -totalCost : totalCost;
}

// --- what has to be written ---

/** The writes that do not need the ids of the trades. */
export interface BatchWrites {
  markets: Market[];
  positions: Position[];
  /** One row for each interval in which the market was traded. */
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

/** All trades of a batch have the same instant, so the trades of one market fall into the same candle. */
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
 * The writes that need the ids of the trades: a posting, an event and an answer for each trade, and the
 * answers to remember.
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
    const trade = withId(accepted.trade, id);
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

function withId(trade: NewTrade, id: number): Trade {
  return {
    id,
    type: trade.type,
    marketId: trade.marketId,
    wallet: trade.wallet,
    side: trade.side,
    action: trade.action,
    shares: trade.shares,
    notional: trade.notional,
    fee: trade.fee,
    totalCost: trade.totalCost,
    realizedPnl: trade.realizedPnl,
    yesPriceAfter: trade.yesPriceAfter,
    createdAt: trade.createdAt,
  };
}
