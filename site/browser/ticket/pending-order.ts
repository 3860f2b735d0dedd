/**
 * An order with an unknown outcome, of one wallet in one market. It is stored before it is sent, so that a lost
 * answer or a reload does not lead to a second order under another key.
 */
import type { Order as OrderBody } from '../../../src/client';
import type { Keyed } from './order-state';
import { pendingPlace, type TextStorage } from '../pending';

export interface Order {
  side: 'YES' | 'NO';
  action: 'buy' | 'sell';
  /** USD for a buy, shares for a sell. */
  size: number;
}

export interface PendingOrder extends Keyed {
  order: Order;
  /** The exact body that was sent, with the bounds of the price that the trader saw. */
  body: OrderBody;
}

export interface PendingOrders {
  get(address: string): PendingOrder | null;
  /** Throws where the browser stores nothing: an order that is not stored must not be sent. */
  set(address: string, pending: PendingOrder): void;
  /** Another window may have stored another order since. That one stays. */
  clear(address: string, idempotencyKey: string): void;
}

export function pendingOrdersOf(storage: TextStorage, market: string): PendingOrders {
  const place = pendingPlace<PendingOrder>(
    storage,
    `order.${market}`,
    ({ order, body, idempotencyKey }) => isOrder(order) && isObject(body) && isKey(idempotencyKey),
  );
  return {
    get: place.get,
    set(address, pending) {
      try {
        place.set(address, pending);
      } catch (cause) {
        const reason =
          'This browser cannot store the order, so it was not sent. Free some storage of this site.';
        throw new Error(reason, { cause });
      }
    },
    clear(address, idempotencyKey) {
      if (place.get(address)?.idempotencyKey === idempotencyKey) place.clear(address);
    },
  };
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
const isKey = (value: unknown): boolean => typeof value === 'string' && /^[\x20-\x7e]{1,128}$/.test(value);

function isOrder(value: unknown): boolean {
  const { side, action, size } = (value ?? {}) as Record<string, unknown>;
  const isSide = side === 'YES' || side === 'NO';
  return isSide && (action === 'buy' || action === 'sell') && typeof size === 'number';
}
