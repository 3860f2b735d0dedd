/**
 * The decision about a batch of orders (docs/specification.md "Trading"): pure code on state in memory. Orders
 * are decided in sequence, and each order sees the effects of earlier orders. A refused order changes nothing.
 */
import { PredictionMarketError } from '../../domain/errors';
import { walletAccount } from '../../domain/ledger';
import { decideTrade, type AcceptedTrade, type TradeRules } from '../../domain/trade';
import type { Account, AccountId, Address, Market, NewTrade, Position } from '../../domain/types';
import type { IdempotencyRecord } from '../../ports/storage';
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
   * `index` refers to `BatchState.executed`. `copied`: this order repeats the idempotency key of an earlier
   * order of the batch, which was executed at `index`.
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
  executed: ExecutedOrder[];
}

/** Updates the state. Returns one decision for each order, in the same sequence. */
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
 * The decision about an order that repeats the idempotency key of an executed order, of this batch or earlier.
 * `null` when the key is new, or the order has none.
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

/** What the trader receives: negative for a purchase. */
export function receipts({ action, totalCost }: NewTrade): bigint {
  return action === 'buy' ? -totalCost : totalCost;
}
