/** Sends the orders of one market's form: each under one key, which is kept until its outcome is known. */
import { isPredictionMarketApiError, type ExecutedTrade } from '../../../src/client';
import { client } from '../client';
import { nextState, type OrderEvent, type OrderState } from './order-state';
import { messageOf } from '../page';
import { pendingOrdersOf, type PendingOrder } from './pending-order';

export const NOT_KNOWN =
  'It is not known yet whether this order was executed. Send it again: it is executed once at most.';
export const TOO_OLD =
  'It is not known whether this order was executed, and it is too old to be sent again. Look for it in the ' +
  'history of your portfolio, and then put it aside.';
const ANOTHER_WINDOW =
  'This order has changed in another window of this browser, so nothing was sent. Look at it again.';

export interface OrderSender {
  state(): OrderState<PendingOrder>;
  /** Reads what this browser stores for the wallet; null: no wallet is connected. */
  look(address: string | null): void;
  /** Sends the unknown order again, or `fresh` where there is none. */
  send(address: string, fresh: () => PendingOrder): Promise<ExecutedTrade>;
  /** The trader gives up knowing the outcome. Earlier copies may still trade. */
  putAside(address: string): void;
}

export function orderSender(marketId: string): OrderSender {
  const stored = pendingOrdersOf(localStorage, marketId);
  let state: OrderState<PendingOrder> = { kind: 'free' };
  const happen = (event: OrderEvent<PendingOrder>): void => void (state = nextState(state, event));
  const look = (address: string | null): void =>
    happen({ type: 'found', pending: address === null ? null : stored.get(address) });

  async function send(address: string, fresh: () => PendingOrder): Promise<ExecutedTrade> {
    const before = keyOf(state);
    look(address);
    if (keyOf(state) !== before) throw new Error(ANOTHER_WINDOW);
    const made = state.kind === 'free' ? fresh() : state.pending;
    if (state.kind === 'free') stored.set(address, made);
    happen({ type: 'click', fresh: made, now: Date.now() });
    if (state.kind !== 'sending') throw new Error(TOO_OLD);
    const end = (type: 'executed' | 'refused' | 'lost'): void => {
      if (type !== 'lost') stored.clear(address, made.idempotencyKey);
      happen({ type });
    };
    try {
      const trade = await place(marketId, made);
      end('executed');
      return trade;
    } catch (error) {
      const isRefused = isPredictionMarketApiError(error) && error.outcome === 'refused';
      end(isRefused ? 'refused' : 'lost');
      throw isRefused ? error : new Error(`${messageOf(error)} ${NOT_KNOWN}`, { cause: error });
    }
  }

  return {
    state: () => state,
    look,
    send,
    putAside(address) {
      if (state.kind === 'unknown') stored.clear(address, state.pending.idempotencyKey);
      happen({ type: 'put-aside' });
    },
  };
}

const keyOf = (state: OrderState<PendingOrder>): string | null =>
  state.kind === 'free' ? null : state.pending.idempotencyKey;

async function place(market: string, { body, idempotencyKey }: PendingOrder): Promise<ExecutedTrade> {
  // The trader sees each failure, and decides alone whether the order is sent again.
  const trade: Partial<ExecutedTrade> = await client.trades.place(market, body, {
    idempotencyKey,
    retry: { attempts: 1 },
  });
  // The answer was cut off. When the same order is sent again, the service repeats the whole answer.
  if (!isWhole(trade)) throw new Error('The answer did not arrive whole.');
  return trade;
}

function isWhole(trade: Partial<ExecutedTrade>): trade is ExecutedTrade {
  return trade.id !== undefined && trade.position !== undefined;
}
