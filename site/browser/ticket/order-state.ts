/**
 * What the order form may do. Pure. An order is sent under one key until its outcome is known. A lost answer, a refusal
 * of a later copy or a reload leaves the outcome unknown, because an earlier copy may still trade. The outcome becomes
 * known by an answer that is true for every copy. The trader can also put the order aside.
 */
import { isKeyKnown } from '../pending';

export interface Keyed {
  idempotencyKey: string;
  sentAt: number;
}

export type OrderState<Pending extends Keyed> =
  { kind: 'free' } | { kind: 'sending' | 'unknown'; pending: Pending };

/**
 * `click`: the trader sends; `fresh` is the order in the form, with a new key. `found`: what this browser stores,
 * where another window may have written. `refused` and `lost` are the two outcomes of an error of the client.
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

/** The service may have forgotten an old key, and would then trade a second time. */
export function maySendAgain<Pending extends Keyed>(
  state: OrderState<Pending>,
  now: number,
): state is { kind: 'unknown'; pending: Pending } {
  return state.kind === 'unknown' && isKeyKnown(state.pending.sentAt, now);
}
