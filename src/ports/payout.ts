/**
 * Who pays wallets out of the house's treasury, in the world outside of our books.
 *
 * A payout survives every crash without being paid twice because of an order that both sides keep: `prepare` decides
 * everything and sends nothing; the caller stores the state it gave; only then `submit` sends, which may be done again
 * any number of times. Whatever a state says can happen at most once.
 */
import type { Address } from '../domain/types';

export interface PayoutOrder {
  /** Unique for ever: the withdrawal's id. */
  id: number;
  to: Address;
  /** Base units of the token. */
  amount: bigint;
  /** CAIP-2, `eip155:8453`. */
  network: string;
  /** The token contract. */
  asset: Address;
}

/** What the adapter has to know again later: its own text, opaque to the caller, who stores it. */
export type PayoutState = string;

export type PayoutPreparation =
  | { status: 'prepared'; state: PayoutState; transaction: string | null }
  /** It can never be paid. */
  | { status: 'refused'; reason: string }
  /** Not now: the treasury is short, or a node cannot be reached. */
  | { status: 'unavailable'; reason: string }
  /** Not now: as many are under way as it takes at once. */
  | { status: 'busy' };

export type PayoutProgress =
  /** Under way, or not known now: `submit` again. `trouble` says why it may not end by itself, and raises an alarm. */
  | { status: 'pending'; trouble?: string }
  /** The same payment is offered anew: store this state, then `submit` it. The two exclude each other. */
  | { status: 'renewed'; state: PayoutState; transaction: string | null }
  | { status: 'confirmed'; transaction: string | null }
  /** It has failed, moved nothing, and can move nothing any more. */
  | { status: 'failed'; transaction: string | null; reason: string }
  /**
   * It has not happened and can never happen: it may be prepared afresh. Only on positive proof; that it was not found proves
   * nothing, and is `pending`.
   */
  | { status: 'lost'; reason: string };

export interface Payout {
  readonly name: string;
  /** How many payouts may be checked and submitted at the same time; default 1. `prepare` is always called alone. */
  readonly atOnce?: number;
  /**
   * Sends nothing. `outstanding` are the states of all payouts that are stored and not at their end; the caller prepares
   * one at a time, over all processes.
   */
  prepare(order: PayoutOrder, outstanding: readonly PayoutState[]): Promise<PayoutPreparation>;
  /** Sends what the state says. A rejection means that nobody knows whether it was sent. */
  submit(state: PayoutState): Promise<void>;
  /** What became of it. Sends nothing; rejects when that cannot be found out. */
  check(state: PayoutState): Promise<PayoutProgress>;
}
