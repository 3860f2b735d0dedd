/**
 * The states of the order form. An order keeps one key until its outcome is known, so that the service does not execute
 * a second copy of it. Pure.
 */
import { isKeyKnown } from '../pending';

export interface Keyed {
  idempotencyKey: string;
  sentAt: number;
}

export type OrderState<Pending extends Keyed> =
  { kind: 'free' } | { kind: 'sending' | 'unknown'; pending: Pending };

/**
 * `click`: the trader sends; `fresh` is the order in the form. `executed` and `refused`: the outcome is known. `lost`:
 * an error after which the outcome is unknown. `put-aside`: the trader gives up an order of unknown outcome. `found`:
 * the order that this browser stores.
 */
export type OrderEvent<Pending extends Keyed> =
  | { type: 'click'; fresh: Pending; now: number }
  | { type: 'executed' | 'refused' | 'lost' | 'put-aside' }
  | { type: 'found'; pending: Pending | null };

export function nextState<Pending extends Keyed>(
  state: OrderState<Pending>,
  event: OrderEvent<Pending>,
): OrderState<Pending> {
  switch (event.type) {
    case 'click':
      if (state.kind === 'free') return { kind: 'sending', pending: event.fresh };
      return maySendAgain(state, event.now) ? { ...state, kind: 'sending' } : state;
    case 'executed':
    case 'refused':
      return state.kind === 'sending' ? { kind: 'free' } : state;
    case 'lost':
      return state.kind === 'sending' ? { ...state, kind: 'unknown' } : state;
    case 'put-aside':
      return state.kind === 'unknown' ? { kind: 'free' } : state;
    case 'found':
      if (state.kind === 'sending') return state;
      return event.pending === null ? { kind: 'free' } : { kind: 'unknown', pending: event.pending };
  }
}

/** Whether the order may be sent again. The service may have forgotten an old key, and would execute the order anew. */
export function maySendAgain<Pending extends Keyed>(
  state: OrderState<Pending>,
  now: number,
): state is { kind: 'unknown'; pending: Pending } {
  return state.kind === 'unknown' && isKeyKnown(state.pending.sentAt, now);
}
