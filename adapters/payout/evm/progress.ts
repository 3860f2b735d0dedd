/**
 * What became of a payout. It ends on proof only: a receipt in a block that stands, or another transaction that has used its
 * nonce for good. Whatever the node does not show leaves it as it is, with a `trouble` when that lasts.
 */
import type { PayoutProgress } from '../../../src/ports/payout';
import { MOST_OFFERS } from '../../shared/evm/fees';
import {
  blockAt,
  countAt,
  finalBlock,
  findNonceUse,
  nonceUseIn,
  type NonceUse,
} from '../../shared/evm/nonce-use';
import { errorText, quantity, toQuantity, type Rpc } from '../../shared/evm/rpc';
import {
  newestBlock,
  receiptInBlock,
  receiptOf,
  transactionCount,
  type Receipt,
} from '../../shared/evm/transaction';
import type { EvmPayoutState } from './state';

export interface ProgressOptions {
  rpc: Rpc;
  confirmations: number;
  stuckAfterMs: number;
  now: () => number;
  /** Whether our key has signed it, so that we can offer more for it. */
  isOurs(state: EvmPayoutState): boolean;
  /** Signs it again with a better offer. */
  renew(state: EvmPayoutState): Promise<PayoutProgress>;
}

/** A node may lag so many blocks behind before a nonce that is used without a receipt is a trouble. */
const LAG_BLOCKS = 12;
/** After so many of its times to be stuck, a payout that waits behind another is a trouble. */
const LONG_WAIT = 10;

export function createProgress(options: ProgressOptions): (state: EvmPayoutState) => Promise<PayoutProgress> {
  const { rpc, confirmations, stuckAfterMs, now, isOurs, renew } = options;
  /** Where a nonce was seen to be used: nodes forget old states, by which it is found, sooner than blocks. */
  const seenIn = new Map<string, number>();

  async function check(state: EvmPayoutState): Promise<PayoutProgress> {
    const chain = await rpc.chainId();
    if (chain !== state.call.chainId)
      return inTrouble(`the node is on chain ${chain}, the payout on chain ${state.call.chainId}`);
    const receipts = await Promise.all(state.signed.map(({ hash }) => receiptOf(rpc, hash)));
    const receipt = receipts.find((found) => found !== null) ?? null;
    if (receipt !== null) return progressOf(receipt);
    const used = await transactionCount(rpc, state.sender, 'latest');
    return used > state.nonce ? withoutReceipt(state) : waiting(state, used);
  }

  async function progressOf(receipt: Receipt): Promise<PayoutProgress> {
    const { hash, succeeded, blockNumber, blockHash } = receipt;
    const head = await newestBlock(rpc);
    if (head - blockNumber + 1 < confirmations) return { status: 'pending' };
    const block = await blockAt(rpc, toQuantity(blockNumber), false);
    // The receipt may come from a node that still has a block which the others have dropped.
    if (block?.['hash'] !== blockHash) return { status: 'pending' };
    if (succeeded) return { status: 'confirmed', transaction: hash };
    // It may succeed in another block, should this one be dropped.
    return blockNumber <= (await finalBlock(rpc, head, confirmations))
      ? { status: 'failed', transaction: hash, reason: 'the transfer reverted' }
      : { status: 'pending' };
  }

  /** Its nonce is used and it has no receipt: a node that lags behind, a pruned index, or a foreign use of the key. */
  async function withoutReceipt(state: EvmPayoutState): Promise<PayoutProgress> {
    const head = await newestBlock(rpc);
    const settled = head - confirmations - LAG_BLOCKS;
    if (settled < 0) return { status: 'pending' };
    try {
      if ((await countAt(rpc, state.sender, settled)) <= state.nonce) return { status: 'pending' };
      const use = await useOf(state, settled);
      if (use === null) return inTrouble(`the node does not show what has used nonce ${state.nonce}`);
      return await judge(state, use, head);
    } catch (error) {
      return inTrouble(`what has used nonce ${state.nonce} cannot be found out: ${errorText(error)}`);
    }
  }

  async function useOf({ sender, nonce }: EvmPayoutState, highest: number): Promise<NonceUse | null> {
    const key = `${sender}:${nonce}`;
    const seen = seenIn.get(key);
    const again = seen === undefined ? null : await nonceUseIn(rpc, sender, nonce, seen);
    const use = again ?? (await findNonceUse(rpc, sender, nonce, highest));
    if (use === null) seenIn.delete(key);
    else seenIn.set(key, use.blockNumber);
    return use;
  }

  async function judge(state: EvmPayoutState, use: NonceUse, head: number): Promise<PayoutProgress> {
    const { hash, blockNumber } = use;
    if (state.signed.some((ours) => ours.hash === hash)) {
      const receipt = await receiptInBlock(rpc, hash, blockNumber);
      return receipt === null
        ? inTrouble(`${hash} is in block ${blockNumber}, and the node has no receipt of it`)
        : progressOf(receipt);
    }
    const foreign = `another transaction, ${hash}, has used nonce ${state.nonce} of ${state.sender}`;
    if (!isOurs(state)) return inTrouble(`${foreign}; the payout stays as it is, as that key is not ours`);
    if (blockNumber > (await finalBlock(rpc, head, confirmations + LAG_BLOCKS)))
      return inTrouble(`${foreign}; it is paid anew when that is final`);
    // Asked anew: behind one address there may be another chain by now.
    const chain = quantity(await rpc.send('eth_chainId', []), 'eth_chainId');
    if (chain !== state.call.chainId) return inTrouble(`the node is on chain ${chain}`);
    seenIn.delete(`${state.sender}:${state.nonce}`);
    return { status: 'lost', reason: foreign };
  }

  async function waiting(state: EvmPayoutState, used: number): Promise<PayoutProgress> {
    const { nonce, sender, signed } = state;
    const waited = now() - state.signedAt;
    if (used < nonce)
      return waited < stuckAfterMs * LONG_WAIT
        ? { status: 'pending' }
        : inTrouble(`it waits for nonce ${used} of ${sender}, and has nonce ${nonce}`);
    if (waited < stuckAfterMs) return { status: 'pending' };
    if (!isOurs(state)) return inTrouble(`it is stuck, and ${sender}, which sends it, is not our key`);
    if (signed.length >= MOST_OFFERS) return inTrouble(`it is stuck after ${signed.length} offers of gas`);
    return renew(state);
  }

  return check;
}

const inTrouble = (trouble: string): PayoutProgress => ({ status: 'pending', trouble });
