/** Offers more gas for a transaction that waits, and uses up lower nonces that keep the transaction waiting. */
import type { Wallet } from 'ethers';
import { currentFees, MOST_OFFERS, raisedFees, type Fees } from './fees';
import type { PreparedTransaction } from './prepare-transaction';
import type { Rpc } from './rpc';
import { broadcast, signTransaction, type SignedTransaction } from './transaction';

export interface GasOffer {
  fees: Fees;
  signed: SignedTransaction;
}

/** One nonce of the key, and every transaction that was signed for it. */
export interface OfferedTransaction {
  prepared: PreparedTransaction;
  nonce: number;
  /**
   * The offers in the order of signing, at most `MOST_OFFERS`. All offers have the same nonce, so at most one
   * of them is ever mined. An offer that a node has refused stays in the list, because another node may have
   * accepted it.
   */
  offers: GasOffer[];
  /** The newest offer that no node has refused. */
  current: GasOffer;
}

/**
 * How many empty transactions (to the own address, without value) are sent at most while the node answers
 * that the nonce is taken. Each offers about 1.6 times the gas price of the transaction before.
 */
const FILL_ATTEMPTS = 8;

/** Signs and sends a better offer. After `MOST_OFFERS` offers, the last offer is sent again. */
export async function offerMoreGas(rpc: Rpc, wallet: Wallet, entry: OfferedTransaction): Promise<void> {
  const offer = await nextOffer(rpc, wallet, entry);
  const { hash, raw } = offer.signed;
  // The offer is remembered before it is sent. It can be mined although the node answers with an error, and
  // then its receipt has to be found.
  if (entry.offers.every(({ signed }) => signed.hash !== hash)) entry.offers.push(offer);
  const { status } = await broadcast(rpc, raw);
  if (status !== 'no_gas' && status !== 'refused') entry.current = offer;
}

async function nextOffer(
  rpc: Rpc,
  wallet: Wallet,
  { prepared, nonce, offers, current }: OfferedTransaction,
): Promise<GasOffer> {
  const last = offers.at(-1);
  if (last !== undefined && offers.length >= MOST_OFFERS) return last;
  const fees = raisedFees(current.fees, await currentFees(rpc));
  return { fees, signed: signTransaction(wallet, { ...prepared, nonce, fees }) };
}

/**
 * Uses up a nonce below the nonce of `waiting` by an empty transaction, because `waiting` cannot be mined before the
 * lower nonce is used. An earlier process may have sent a payment with the lower nonce. If the empty
 * transaction replaces it, the reconciliation settles the payment later.
 */
export async function fillNonce(
  rpc: Rpc,
  wallet: Wallet,
  nonce: number,
  waiting: OfferedTransaction,
): Promise<void> {
  let fees = raisedFees(waiting.current.fees, await currentFees(rpc));
  const blank = { to: wallet.address, data: '0x', chainId: waiting.prepared.chainId, gasLimit: 21_000n };
  for (let attempt = 0; attempt < FILL_ATTEMPTS; attempt += 1) {
    const { raw } = signTransaction(wallet, { ...blank, nonce, fees });
    if ((await broadcast(rpc, raw)).status !== 'nonce_taken') return;
    fees = raisedFees(raisedFees(fees, fees), fees);
  }
}
