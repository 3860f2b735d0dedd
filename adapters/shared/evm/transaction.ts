/** Signing, sending and reading transactions of one key. */
import { isError, Transaction, Wallet } from 'ethers';
import { mustBe, type Check } from '../../../src/domain/options';
import type { Fees } from './fees';
import { bigQuantity, errorText, field, nodeError, quantity, toQuantity, type Rpc } from './rpc';
import { readLogs, type TokenLog } from './token';

/** A call of a contract, without gas, nonce and chain. */
export interface ContractCall {
  to: string;
  data: string;
  /** Unix seconds. The contract accepts the call in later blocks only. */
  notBefore?: number;
}

export interface SignedTransaction {
  hash: string;
  /** Serialized with its signature, 0x-hex. */
  raw: string;
}

export function signTransaction(
  wallet: Wallet,
  call: ContractCall & { chainId: number; nonce: number; gasLimit: bigint; fees: Fees },
): SignedTransaction {
  const { to, data, chainId, nonce, gasLimit, fees } = call;
  const transaction = Transaction.from({ to, data, chainId, nonce, gasLimit, value: 0n, ...fees });
  transaction.signature = wallet.signingKey.sign(transaction.unsignedHash);
  if (transaction.hash === null) throw new Error('a signed transaction has a hash');
  return { hash: transaction.hash, raw: transaction.serialized };
}

export type BroadcastResult =
  | { status: 'accepted' }
  /**
   * The node answers that the nonce is used. Another transaction, mined or waiting, has this nonce, or this
   * transaction itself was mined.
   */
  | { status: 'nonce_taken' }
  | { status: 'no_gas' }
  /** The node has rejected the transaction and does not keep it. */
  | { status: 'refused'; reason: string }
  /** The node may have the transaction, although it answered with an error. The same transaction may be sent again. */
  | { status: 'unknown'; reason: string };

const KNOWN_ALREADY = /already known|already imported|known transaction|AlreadyKnown/i;

/**
 * The errors of nodes that throw a transaction away. After any other error, the transaction may still be on
 * its way: a node behind a load balancer may have passed it on before its answer failed.
 */
const FINAL_REFUSALS = new RegExp(
  [
    '^(err: )?max fee per gas less than block base fee',
    '^max priority fee per gas higher than max fee per gas',
    '^intrinsic gas too low',
    '^exceeds block gas limit',
    '^transaction gas limit too high',
    '^transaction underpriced',
    '^transaction type not supported',
    '^(txpool|transaction pool) is full$',
    '^tx fee \\(.*\\) exceeds the configured cap',
    '^invalid (sender|signature|chain id)',
  ].join('|'),
  'i',
);

export async function broadcast(rpc: Rpc, raw: string): Promise<BroadcastResult> {
  try {
    await rpc.send('eth_sendRawTransaction', [raw]);
    return { status: 'accepted' };
  } catch (error) {
    return broadcastFailure(error);
  }
}

function broadcastFailure(error: unknown): BroadcastResult {
  const reason = errorText(error);
  if (KNOWN_ALREADY.test(nodeError(error)?.message ?? reason)) return { status: 'accepted' };
  if (isError(error, 'NONCE_EXPIRED') || isError(error, 'REPLACEMENT_UNDERPRICED'))
    return { status: 'nonce_taken' };
  if (isError(error, 'INSUFFICIENT_FUNDS')) return { status: 'no_gas' };
  const refusal = nodeError(error)?.message ?? null;
  return refusal !== null && FINAL_REFUSALS.test(refusal)
    ? { status: 'refused', reason }
    : { status: 'unknown', reason };
}

// --- reading ---

export interface Receipt {
  hash: string;
  succeeded: boolean;
  blockNumber: number;
  /** In lower case. */
  blockHash: string;
  logs: TokenLog[];
}

/**
 * The receipt that the node shows. `null` proves nothing: the transaction is in no block, or the node lags behind, or
 * its index is pruned.
 */
export async function transactionReceipt(rpc: Rpc, hash: string): Promise<Receipt | null> {
  return readReceipt(hash, await rpc.send('eth_getTransactionReceipt', [hash]));
}

/**
 * The receipt of a transaction in a known block. Nodes find the receipt there even after they have pruned the
 * index of hashes.
 */
export async function receiptInBlock(rpc: Rpc, hash: string, block: number): Promise<Receipt | null> {
  const receipts = await rpc.send('eth_getBlockReceipts', [toQuantity(block)]);
  if (!Array.isArray(receipts)) return null;
  const found: unknown = receipts.find(
    (receipt) => String(field(receipt, 'transactionHash')).toLowerCase() === hash,
  );
  return readReceipt(hash, found);
}

function readReceipt(hash: string, receipt: unknown): Receipt | null {
  const blockNumber = field(receipt, 'blockNumber');
  const blockHash = field(receipt, 'blockHash');
  if (typeof blockNumber !== 'string' || typeof blockHash !== 'string') return null;
  return {
    hash,
    succeeded: bigQuantity(field(receipt, 'status'), 'status') === 1n,
    blockNumber: quantity(blockNumber, 'blockNumber'),
    blockHash: blockHash.toLowerCase(),
    logs: readLogs(field(receipt, 'logs')),
  };
}

export async function transactionCount(
  rpc: Rpc,
  address: string,
  block: 'latest' | 'pending',
): Promise<number> {
  return quantity(await rpc.send('eth_getTransactionCount', [address, block]), 'eth_getTransactionCount');
}

/** The time of the newest block, in Unix seconds. */
export async function newestBlockTime(rpc: Rpc): Promise<number> {
  const block = await rpc.send('eth_getBlockByNumber', ['latest', false]);
  return quantity(field(block, 'timestamp'), 'timestamp');
}

export async function newestBlock(rpc: Rpc): Promise<number> {
  return quantity(await rpc.send('eth_blockNumber', []), 'eth_blockNumber');
}

export async function nativeBalance(rpc: Rpc, address: string): Promise<bigint> {
  return bigQuantity(await rpc.send('eth_getBalance', [address, 'latest']), 'eth_getBalance');
}

/**
 * Asks the node to run the call and to estimate its gas. Rejects when the contract reverts, with an error that
 * `revertReason` reads.
 */
export async function estimateGas(
  rpc: Rpc,
  from: string,
  { to, data }: ContractCall,
  block: 'latest' | 'pending' = 'latest',
): Promise<bigint> {
  return bigQuantity(await rpc.send('eth_estimateGas', [{ from, to, data }, block]), 'eth_estimateGas');
}

/** Accepts the private key of a wallet. The message of a refusal does not show the value. */
export const privateKey: Check = mustBe(
  'a private key, 32 bytes in hex',
  (value) => {
    try {
      return new Wallet(value as string).privateKey !== '';
    } catch {
      return false;
    }
  },
  { secret: true },
);
