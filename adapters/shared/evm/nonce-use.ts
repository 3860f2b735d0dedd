/**
 * Finds the transaction that has used a nonce. If a block contains another transaction with the sender and the nonce
 * of ours, ours cannot be mined. A missing receipt does not prove that, because the node may be behind or have pruned
 * its index.
 */
import { bigQuantity, quantity, toQuantity, type Rpc } from './rpc';
import type { Receipt } from './transaction';

export interface NonceUse {
  /** In lower case, as hashes of signed transactions are. */
  hash: string;
  blockNumber: number;
}

export interface Finality {
  /** The final block is at least this many blocks below the newest one. */
  depth: number;
  /** On a chain whose nodes name no final block: how deep a block has to be to count as final. */
  finalityDepth: number | undefined;
}

/**
 * The number of the newest block that counts as final. Rejects if `finalityDepth` is missing and the node names
 * no final block.
 */
export async function finalBlock(
  rpc: Rpc,
  head: number,
  { depth, finalityDepth }: Finality,
): Promise<number> {
  if (finalityDepth !== undefined) return head - Math.max(finalityDepth, depth);
  const finalized = await blockAt(rpc, 'finalized', false);
  if (finalized === null)
    throw new Error('the node names no final block; on a chain without them set finalityDepth');
  return Math.min(quantity(finalized['number'], 'number'), head - depth);
}

export async function countAt(rpc: Rpc, sender: string, block: number): Promise<number> {
  const count = await rpc.send('eth_getTransactionCount', [sender, toQuantity(block)]);
  return quantity(count, 'eth_getTransactionCount');
}

/**
 * The transaction that has used the nonce, at block `highest` or below. The caller knows that the nonce is used
 * at `highest`. `null` if the node does not show the transaction. Rejects if the node has pruned the old states
 * that the search reads.
 */
export async function findNonceUse(
  rpc: Rpc,
  sender: string,
  nonce: number,
  highest: number,
): Promise<NonceUse | null> {
  const isUsedAt = async (block: number): Promise<boolean> => (await countAt(rpc, sender, block)) > nonce;
  // Both are equal until the search finds a block at which the nonce is not used. From then on the nonce is used
  // at block `used` and not at block `unused`.
  let used = highest;
  let unused = highest;
  // Few nodes keep old states. So the search starts at `highest` and goes back in steps that double.
  for (let stride = 1; unused === used; stride *= 2) {
    if (used === 0) return null;
    unused = Math.max(0, used - stride);
    if (await isUsedAt(unused)) used = unused;
  }
  while (used - unused > 1) {
    const middle = Math.floor((used + unused) / 2);
    if (await isUsedAt(middle)) used = middle;
    else unused = middle;
  }
  return nonceUseIn(rpc, sender, nonce, used);
}

/** The transaction with this sender and nonce in the block, as the node shows the block now. */
export async function nonceUseIn(
  rpc: Rpc,
  sender: string,
  nonce: number,
  blockNumber: number,
): Promise<NonceUse | null> {
  const block = await blockAt(rpc, toQuantity(blockNumber), true);
  const transactions: unknown = block?.['transactions'];
  if (!Array.isArray(transactions)) return null;
  for (const entry of transactions as Record<string, unknown>[]) {
    const { from, hash } = entry;
    if (typeof from !== 'string' || typeof hash !== 'string') continue;
    const isSender = from.toLowerCase() === sender.toLowerCase();
    if (isSender && bigQuantity(entry['nonce'], 'nonce') === BigInt(nonce))
      return { hash: hash.toLowerCase(), blockNumber };
  }
  return null;
}

/**
 * Whether the node shows the block of a receipt as part of its chain. `null` if the node has no block with this
 * number yet. A receipt alone proves nothing, because a reorganisation may have dropped its block.
 */
export async function isInChain(
  rpc: Rpc,
  { blockNumber, blockHash }: Pick<Receipt, 'blockNumber' | 'blockHash'>,
): Promise<boolean | null> {
  const block = await blockAt(rpc, toQuantity(blockNumber), false);
  return block === null ? null : String(block['hash']).toLowerCase() === blockHash;
}

/** The block with this number or tag. `null` if the node does not have it. */
export async function blockAt(
  rpc: Rpc,
  block: string,
  withTransactions: boolean,
): Promise<Record<string, unknown> | null> {
  const found = await rpc.send('eth_getBlockByNumber', [block, withTransactions]);
  return typeof found === 'object' && found !== null ? (found as Record<string, unknown>) : null;
}
