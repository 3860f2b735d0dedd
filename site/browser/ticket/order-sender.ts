/** Sends the orders of a market's form. An order keeps its idempotency key until its outcome is known. */
import { isPredictionMarketApiError, type ExecutedTrade } from '../../../src/client';
import { nextState, type OrderEvent, type OrderState } from './order-state';
import { messageOf } from '../message-of';
import { IN_ANOTHER_WINDOW, type PendingPlace } from '../pending';
import type { PendingOrder } from './pending-order';

export const NOT_KNOWN =
  'It is not known yet whether this order was executed. Send it again: it is executed once at most.';
export const TOO_OLD =
  'It is not known whether this order was executed, and it is too old to be sent again. Look for it in the ' +
  'history of your portfolio, and then put it aside.';
export interface OrderSender {
  state(): OrderState<PendingOrder>;
  /** Reads what this browser stores for the wallet; null: no wallet is connected. */
  look(address: string | null): void;
  /** Sends the order of unknown outcome again, or `fresh` if there is none. */
  send(address: string, fresh: () => PendingOrder): Promise<ExecutedTrade>;
  /** Forgets the order of unknown outcome. The service may still execute a copy that was sent. */
  putAside(address: string): Promise<void>;
}

/**
 * `place` sends an order. After a refusal the order was not executed. After any other error the outcome is unknown.
 */
export function orderSender(
  stored: PendingPlace<PendingOrder>,
  place: (order: PendingOrder) => Promise<ExecutedTrade>,
): OrderSender {
  let state: OrderState<PendingOrder> = { kind: 'free' };
  const happen = (event: OrderEvent<PendingOrder>): void => void (state = nextState(state, event));
  const look = (address: string | null): void =>
    happen({ type: 'found', pending: address === null ? null : stored.get(address) });

  /**
   * Stores the order before it is sent. Rejects if another window has stored an order, or if the storage
   * fails.
   */
  async function claim(address: string, before: PendingOrder | null, made: PendingOrder): Promise<void> {
    try {
      if (!(await stored.replace(address, before, made))) throw new Error(IN_ANOTHER_WINDOW);
    } catch (error) {
      // Nothing was sent, so the form shows what is stored.
      happen({ type: 'lost' });
      look(address);
      throw error;
    }
  }

  async function send(address: string, fresh: () => PendingOrder): Promise<ExecutedTrade> {
    const known = keyOf(state);
    look(address);
    if (keyOf(state) !== known) throw new Error(IN_ANOTHER_WINDOW);
    const before = state.kind === 'free' ? null : state.pending;
    const made = before ?? fresh();
    happen({ type: 'click', fresh: made, now: Date.now() });
    if (state.kind !== 'sending') throw new Error(TOO_OLD);
    await claim(address, before, made);
    const end = async (type: 'executed' | 'refused' | 'lost'): Promise<void> => {
      // If the removal fails, the order can be sent again under the same key, so it is executed once at most.
      if (type !== 'lost') await stored.replace(address, made, null).catch(() => false);
      happen({ type });
    };
    try {
      const trade = await place(made);
      await end('executed');
      return trade;
    } catch (error) {
      const isRefused = isPredictionMarketApiError(error) && error.outcome === 'refused';
      await end(isRefused ? 'refused' : 'lost');
      throw isRefused ? error : new Error(`${messageOf(error)} ${NOT_KNOWN}`, { cause: error });
    }
  }

  return {
    state: () => state,
    look,
    send,
    async putAside(address) {
      if (state.kind === 'unknown') await stored.replace(address, state.pending, null);
      happen({ type: 'put-aside' });
      look(address);
    },
  };
}

const keyOf = (state: OrderState<PendingOrder>): string | null =>
  state.kind === 'free' ? null : state.pending.idempotencyKey;
