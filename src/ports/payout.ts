import type { Address } from '../domain/types';

/**
 * The order to pay one withdrawal. An adapter that does not pay on the network or in the token of an order
 * prepares no payout. The service gives the addresses of an order in lower case. An address means the same in lower
 * case and in EIP-55 form, so an adapter compares addresses without regard to case.
 */
export interface PayoutOrder {
  /** The id of the withdrawal, which is never used again. */
  id: number;
  to: Address;
  /** In base units of the token. */
  amount: bigint;
  /** The network in CAIP-2, such as `eip155:8453`. */
  network: string;
  /** The address of the token contract. */
  asset: Address;
}

/** A text in which the adapter keeps what it needs later; the caller stores it and does not read it. */
export type PayoutState = string;

export type PayoutPreparation =
  | { status: 'prepared'; state: PayoutState; transaction: string | null }
  /** The order can never be paid. */
  | { status: 'refused'; reason: string }
  /** The order cannot be paid now, for example because the treasury has too little or a node cannot be reached. */
  | { status: 'unavailable'; reason: string }
  /** The order cannot be paid now: the adapter has as many payouts under way as it can handle. */
  | { status: 'busy' };

export type PayoutProgress =
  /**
   * The payout is under way, or its progress is not known now: the caller submits it again. `trouble` says why
   * the payout may not end by itself, and raises an alarm. `unknown` says that the progress cannot be found out:
   * then operators cannot fail the payout in its first hour, because another instance may be sending it. `ending` says
   * that the payout will soon end by itself, such as in a block that is not deep enough yet: then operators cannot fail it.
   */
  | { status: 'pending'; trouble?: string; unknown?: boolean; ending?: boolean }
  /**
   * The adapter has prepared the payout anew, such as with a higher fee: the caller stores this state, then
   * submits it. At most one of the two payouts can happen.
   */
  | { status: 'renewed'; state: PayoutState; transaction: string | null }
  /** The wallet has received the amount of the order. */
  | { status: 'confirmed'; transaction: string | null }
  /** The payout has failed, has moved no money, and cannot move any later. */
  | { status: 'failed'; transaction: string | null; reason: string }
  /**
   * The payout has not happened and can never happen: the caller may prepare the order again. `lost` needs
   * positive proof: a payout that was only not found is `pending`.
   */
  | { status: 'lost'; reason: string };

/**
 * The payout port: it sends withdrawals, which pay wallets on a chain out of the house's treasury.
 *
 * A payout is never paid twice, whichever process crashes, because adapter and caller keep to an order:
 * `prepare` decides everything and sends nothing; the caller stores the state that `prepare` returned; only
 * then `submit` sends the payout, and may be repeated any number of times. The payout of a state can happen at
 * most once.
 *
 * The name, a state, a reason, a trouble and the message of an error are stored or shown to operators: they contain no
 * secret, and all but the state are one line. A secret goes only to the services that the adapter asks: an adapter sends
 * none to the address of a redirect.
 *
 * Every call ends by itself, so an adapter that asks a service has a time limit of its own. A call that takes longer
 * than 45 s counts as rejected, and the caller ignores its late result.
 */
export interface Payout {
  readonly name: string;
  /**
   * `true`: withdrawals move no real money. `false`: they do, and the service does not start with books that hold other
   * money, or with payments in play money. Default: not known. Then the service does not start with books that it knows
   * to hold play money.
   */
  readonly playMoney?: boolean;
  /**
   * The address that pays, if the adapter pays with a key of its own. The facilitator must send from another
   * address.
   */
  readonly address?: string;
  /**
   * The id of the chain of the adapter's node, if it has a node. Rejects when the node does not answer. The
   * service does not start with the node of another chain than its option `network`.
   */
  chainId?(): Promise<number>;
  /**
   * How many payouts may be checked and submitted at the same time; default 1. `prepare` is always called
   * alone.
   */
  readonly atOnce?: number;
  /**
   * Decides how the order is paid, such as by which transaction. Sends nothing. `outstanding` are the states
   * of all payouts that are stored and not ended; the caller prepares one payout at a time, over all
   * processes. `outstanding` includes the states of another adapter that was used before. The state of
   * another adapter must not stop `prepare`.
   */
  prepare(order: PayoutOrder, outstanding: readonly PayoutState[]): Promise<PayoutPreparation>;
  /**
   * Sends the payout of the state; rejects when the service that pays cannot be reached, or fails. After a rejection it
   * is not known whether the payout was sent.
   */
  submit(state: PayoutState): Promise<void>;
  /**
   * The progress of the payout. Sends nothing; rejects when the progress cannot be found out. For the state of
   * another adapter the progress is `pending`, with a `trouble` and `unknown: true`.
   */
  check(state: PayoutState): Promise<PayoutProgress>;
}
