/**
 * Finds out what became of a payout. Three proofs end a payout: a successful transfer in a block that is deep
 * enough, a reverted transfer in a final block, or another transaction of our key with its nonce in a final
 * block. Without proof the payout stays pending.
 */
import { BoundedMap } from '../../../src/domain/bounded-map';
import type { PayoutProgress } from '../../../src/ports/payout';
import { MOST_OFFERS } from '../../shared/evm/fees';
import {
  countAt,
  finalBlock,
  findNonceUse,
  isInChain,
  nonceUseIn,
  type NonceUse,
} from '../../shared/evm/nonce-use';
import { errorText, quantity, type Rpc } from '../../shared/evm/rpc';
import {
  newestBlock,
  receiptInBlock,
  transactionReceipt,
  transactionCount,
  type Receipt,
} from '../../shared/evm/transaction';
import type { EvmPayoutState } from './state';

export interface ProgressOptions {
  rpc: Rpc;
  confirmations: number;
  /** On a chain whose nodes name no final block: how deep a block has to be to count as final. */
  finalityDepth: number | undefined;
  stuckAfterMs: number;
  now: () => number;
  /** Whether our key has signed the payout, so that we can sign a better offer for it. */
  isOurs(state: EvmPayoutState): boolean;
  /** Signs the payout again with a better offer. */
  renew(state: EvmPayoutState): Promise<PayoutProgress>;
}

/**
 * A node may be this many blocks behind. If a nonce was used longer ago and the node still shows no receipt,
 * the blocks are searched for the transaction that has used it.
 */
const LAG_BLOCKS = 12;
/** A payout that waits behind another payout for this many times `stuckAfterMs` has a `trouble`. */
const LONG_WAIT = 10;

/**
 * The most blocks that `seenIn` remembers, to bound its memory. A block that was forgotten is searched again.
 */
const MOST_SEEN = 10_000;

interface Search extends ProgressOptions {
  /**
   * The number of the block in which a nonce was used, by sender and nonce. It is remembered because the search
   * needs old states, which nodes forget sooner than blocks.
   */
  seenIn: Map<string, number>;
}

export function createProgress(options: ProgressOptions): (state: EvmPayoutState) => Promise<PayoutProgress> {
  const search: Search = { ...options, seenIn: new BoundedMap(MOST_SEEN) };
  return (state) => check(search, state);
}

async function check(search: Search, state: EvmPayoutState): Promise<PayoutProgress> {
  const { rpc } = search;
  const chain = await rpc.chainId();
  if (chain !== state.prepared.chainId)
    return notKnown(`the node is on chain ${chain}, the payout on chain ${state.prepared.chainId}`);
  const receipts = await Promise.all(state.signed.map(({ hash }) => transactionReceipt(rpc, hash)));
  for (const receipt of receipts) {
    const progress = receipt === null ? null : await progressOf(search, receipt);
    if (progress !== null) return progress;
  }
  const used = await transactionCount(rpc, state.sender, 'latest');
  return used > state.nonce ? withoutReceipt(search, state) : checkWaiting(search, state, used);
}

/**
 * The progress of a payout that has a receipt. `null` if the node shows another block in place of the receipt's
 * block: the payout may then be in another block, or in none.
 */
async function progressOf(search: Search, receipt: Receipt): Promise<PayoutProgress | null> {
  const { rpc, confirmations: depth, finalityDepth } = search;
  const { hash, succeeded, blockNumber } = receipt;
  const head = await newestBlock(rpc);
  if (head - blockNumber + 1 < depth) return ENDING;
  const inChain = await isInChain(rpc, receipt);
  // `null`: the node does not have the block yet. Another node behind the same address has shown the receipt.
  if (inChain !== true) return inChain === null ? ENDING : null;
  if (succeeded) return { status: 'confirmed', transaction: hash };
  // A reverted transfer counts as failed only when its block is final. Before that, a reorganisation can
  // remove the block, and the transfer can succeed in another block.
  return blockNumber <= (await finalBlock(rpc, head, { depth, finalityDepth }))
    ? { status: 'failed', transaction: hash, reason: 'the transfer reverted' }
    : ENDING;
}

/**
 * Finds out what became of a payout whose nonce is used and that has no receipt: the node is behind, its
 * index is pruned, or another program has used the key.
 */
async function withoutReceipt(search: Search, state: EvmPayoutState): Promise<PayoutProgress> {
  const { rpc, confirmations } = search;
  const head = await newestBlock(rpc);
  const oldEnough = head - confirmations - LAG_BLOCKS;
  if (oldEnough < 0) return ENDING;
  try {
    if ((await countAt(rpc, state.sender, oldEnough)) <= state.nonce) return ENDING;
    const use = await useOf(search, state, oldEnough);
    if (use === null) return notKnown(`the node does not show what has used nonce ${state.nonce}`);
    return await outcomeOfUse(search, state, use, head);
  } catch (error) {
    return notKnown(`what has used nonce ${state.nonce} cannot be found out: ${errorText(error)}`);
  }
}

async function useOf(
  { rpc, seenIn }: Search,
  { sender, nonce }: EvmPayoutState,
  highest: number,
): Promise<NonceUse | null> {
  const key = `${sender}:${nonce}`;
  const seen = seenIn.get(key);
  const again = seen === undefined ? null : await nonceUseIn(rpc, sender, nonce, seen);
  const use = again ?? (await findNonceUse(rpc, sender, nonce, highest));
  if (use === null) seenIn.delete(key);
  else seenIn.set(key, use.blockNumber);
  return use;
}

async function outcomeOfUse(
  search: Search,
  state: EvmPayoutState,
  use: NonceUse,
  head: number,
): Promise<PayoutProgress> {
  const { rpc, confirmations, finalityDepth, isOurs, seenIn } = search;
  const { hash, blockNumber } = use;
  if (state.signed.some((ours) => ours.hash === hash)) {
    const receipt = await receiptInBlock(rpc, hash, blockNumber);
    return receipt === null
      ? notKnown(`${hash} is in block ${blockNumber}, and the node has no receipt of it`)
      : ((await progressOf(search, receipt)) ?? ENDING);
  }
  const foreign = `another transaction, ${hash}, has used nonce ${state.nonce} of ${state.sender}`;
  const trouble = isOurs(state)
    ? inTrouble(`${foreign}; it is paid anew when that is final`)
    : notKnown(`${foreign}; the payout stays as it is, as that key is not ours`);
  const depth = confirmations + LAG_BLOCKS;
  // Until its block is final, a reorganisation can remove the other transaction. Then the payout can be mined.
  if (blockNumber > (await finalBlock(rpc, head, { depth, finalityDepth })))
    return { ...trouble, ending: true };
  if (!isOurs(state)) return trouble;
  // The chain id is read again, and not from the cache of `rpc.chainId`: another chain may answer under the
  // same address now.
  const chain = quantity(await rpc.send('eth_chainId', []), 'eth_chainId');
  if (chain !== state.prepared.chainId) return notKnown(`the node is on chain ${chain}`);
  seenIn.delete(`${state.sender}:${state.nonce}`);
  return { status: 'lost', reason: foreign };
}

async function checkWaiting(
  { stuckAfterMs, now, isOurs, renew }: Search,
  state: EvmPayoutState,
  used: number,
): Promise<PayoutProgress> {
  const { nonce, sender, signed } = state;
  // The difference is absolute, because a wrong clock may have written a `signedAt` in the future.
  const waited = Math.abs(now() - state.signedAt);
  if (used < nonce) {
    if (waited < stuckAfterMs * LONG_WAIT) return { status: 'pending' };
    const trouble = `it waits for nonce ${used} of ${sender}, and has nonce ${nonce}`;
    return isOurs(state) ? inTrouble(trouble) : notKnown(trouble);
  }
  if (waited < stuckAfterMs) return { status: 'pending' };
  if (!isOurs(state))
    return notKnown(`it is stuck, and ${sender}, which sends it with nonce ${nonce}, is not our key`);
  if (signed.length >= MOST_OFFERS)
    return inTrouble(`it is stuck after ${signed.length} offers of gas for nonce ${nonce} of ${sender}`);
  return renew(state);
}

type Pending = Extract<PayoutProgress, { status: 'pending' }>;

/** The nonce of the payout is used, and there is no proof yet of how the payout ends. */
const ENDING: PayoutProgress = { status: 'pending', ending: true };
const inTrouble = (trouble: string): Pending => ({ status: 'pending', trouble });
/** A trouble that this instance cannot judge: the payout may still go on through another key or another node. */
const notKnown = (trouble: string): Pending => ({ status: 'pending', trouble, unknown: true });
