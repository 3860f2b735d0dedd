/**
 * Sends withdrawals: pays wallets on a chain, out of the house's treasury.
 *
 * A payout is never paid twice, whichever process crashes, because both sides keep to an order: `prepare`
 * decides everything and sends nothing; the caller stores the state that it returned; only then `submit`
 * sends it, and may be repeated any number of times. The payout of a state can happen at most once.
 */
import type { Address } from '../domain/types';

export interface PayoutOrder {
  /** The id of the withdrawal, which is never used again. */
  id: number;
  to: Address;
  /** Base units of the token. */
  amount: bigint;
  /** CAIP-2, `eip155:8453`. */
  network: string;
  /** The token contract. */
  asset: Address;
}

/** A text in which the adapter keeps what it needs later; the caller stores it and does not read it. */
export type PayoutState = string;

export type PayoutPreparation =
  | { status: 'prepared'; state: PayoutState; transaction: string | null }
  /** It can never be paid. */
  | { status: 'refused'; reason: string }
  /** Not now: the treasury has too little, or a node cannot be reached. */
  | { status: 'unavailable'; reason: string }
  /** Not now: the adapter has as many under way as it can handle. */
  | { status: 'busy' };

export type PayoutProgress =
  /**
   * Under way, or not known now: the caller submits it again. `trouble` says why it may not end by itself,
   * and raises an alarm.
   */
  | { status: 'pending'; trouble?: string }
  /**
   * The payment has a new form: the caller stores this state, then submits it. Only one of the two states can
   * happen.
   */
  | { status: 'renewed'; state: PayoutState; transaction: string | null }
  | { status: 'confirmed'; transaction: string | null }
  /** It has failed, has moved no money, and cannot move any later. */
  | { status: 'failed'; transaction: string | null; reason: string }
  /**
   * It has not happened and can never happen: the caller may prepare it again. This needs positive proof: a
   * payout that was only not found is `pending`.
   */
  | { status: 'lost'; reason: string };

export interface Payout {
  readonly name: string;
  /** How many payouts may be checked and submitted at the same time; default 1. `prepare` is always called alone. */
  readonly atOnce?: number;
  /**
   * Sends nothing. `outstanding` are the states of all payouts that are stored and not ended; the caller
   * prepares one at a time, over all processes. They include the states of another adapter that was used
   * before. Such a state does not keep a payout from being prepared.
   */
  prepare(order: PayoutOrder, outstanding: readonly PayoutState[]): Promise<PayoutPreparation>;
  /** Sends the payout of the state. A rejection means that it is not known whether it was sent. */
  submit(state: PayoutState): Promise<void>;
  /**
   * The progress of the payout. Sends nothing; rejects when that cannot be found out. For the state of another
   * adapter it is `pending`, with a `trouble`.
   */
  check(state: PayoutState): Promise<PayoutProgress>;
}
