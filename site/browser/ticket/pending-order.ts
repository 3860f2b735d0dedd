/**
 * An order of one wallet in one market. It is stored before it is sent, so that a lost answer or a reload does not lead
 * to a second order.
 */
import type { Order } from '../../../src/client';
import type { Keyed } from './order-state';
import { pendingPlace, type PendingPlace, type WindowsPlace } from '../pending';

export interface OrderChoice {
  side: 'YES' | 'NO';
  action: 'buy' | 'sell';
  /** USD for a buy, shares for a sell. */
  size: number;
}

export interface PendingOrder extends Keyed {
  order: OrderChoice;
  /** The exact body of the request, with the bounds of the quote that the trader saw. */
  body: Order;
}

export function pendingOrdersOf(windows: WindowsPlace, market: string): PendingPlace<PendingOrder> {
  const place = pendingPlace<PendingOrder>(
    windows,
    `order.${market}`,
    ({ order, body, idempotencyKey }) => isOrder(order) && isObject(body) && isKey(idempotencyKey),
  );
  return {
    get: place.get,
    async replace(address, before, after) {
      try {
        return await place.replace(address, before, after);
      } catch (cause) {
        const reason =
          'This browser cannot store the order, so it was not sent. Free some storage of this site.';
        throw new Error(reason, { cause });
      }
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
