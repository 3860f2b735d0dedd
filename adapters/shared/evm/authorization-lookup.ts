/** Asks the chain what became of an EIP-3009 authorization. */
import type { LookupResult, PaymentAuthorization, PaymentRequirements } from '../../../src/ports/facilitator';
import { bigQuantity, chainIdOf, errorText, field, quantity, toQuantity, type Rpc } from './rpc';
import {
  authorizationState,
  findUse,
  isCancellation,
  readLogs,
  spendingTopics,
  transfersAfterUse,
  type TokenLog,
} from './token';

export interface LookupOptions {
  rpc: Rpc;
  /** How many blocks deep a block has to be before it is trusted. 1 trusts the newest block. Default 1. */
  confirmations?: number | undefined;
  /** How many blocks one `eth_getLogs` request covers at most. Nodes limit this number. Default 2,000. */
  logRange?: number | undefined;
  /** The address of the facilitator's own key. If it is given, `settled` results have `sentBySettler`. */
  settler?: string | undefined;
  /**
   * The search goes back over at most this many ranges of `logRange` blocks. Default 100. With the defaults the
   * search covers more than 4 days of Base.
   */
  logRanges?: number | undefined;
}

export interface AuthorizationLookup {
  /** Never rejects. Resolves with `unknown` when the chain does not show what became of the authorization. */
  lookup(authorization: PaymentAuthorization, requirements: PaymentRequirements): Promise<LookupResult>;
}

interface Block {
  number: number;
  hash: string;
  /** In Unix seconds. */
  timestamp: bigint;
}

type Search = LookupOptions & Required<Omit<LookupOptions, 'settler'>>;

export function createAuthorizationLookup(options: LookupOptions): AuthorizationLookup {
  const { confirmations = 1, logRange = 2_000, logRanges = 100 } = options;
  const search: Search = { ...options, confirmations, logRange, logRanges };
  return {
    lookup: (authorization, requirements) =>
      find(search, authorization, requirements).catch((error: unknown) => ({
        status: 'unknown',
        reason: errorText(error),
      })),
  };
}

/** The newest block that is deep enough to be trusted. */
async function trustedHead({ rpc, confirmations }: Search): Promise<Block> {
  const head = quantity(await rpc.send('eth_blockNumber', []), 'eth_blockNumber');
  return blockAt(rpc, Math.max(0, head - confirmations + 1));
}

async function find(
  search: Search,
  authorization: PaymentAuthorization,
  requirements: PaymentRequirements,
): Promise<LookupResult> {
  const { rpc } = search;
  if ((await rpc.chainId()) !== chainIdOf(requirements.network))
    return { status: 'unknown', reason: `the node is not on ${requirements.network}` };
  const head = await trustedHead(search);
  const tag = toQuantity(head.number) as `0x${string}`;
  if (!(await authorizationState(rpc, requirements.asset, authorization, tag)))
    return unspent(search, authorization, requirements, head);
  const spending = await findSpending(search, authorization, requirements, head);
  return spending === null
    ? { status: 'unknown', reason: 'the authorization is spent, and its transaction was not found' }
    : resultOfSpending(search, spending, authorization, requirements, head);
}

async function unspent(
  { rpc, confirmations }: Search,
  authorization: PaymentAuthorization,
  requirements: PaymentRequirements,
  head: Block,
): Promise<LookupResult> {
  if (confirmations > 1 && (await authorizationState(rpc, requirements.asset, authorization)))
    return { status: 'unknown', reason: 'settled in a block that is not deep enough yet' };
  if (head.timestamp < BigInt(authorization.validBefore))
    return { status: 'unused', asOf: Number(head.timestamp) };
  // `invalid` is final, so the state is read once more, from the block `head`. The first call may have reached
  // another node behind the same address.
  const { asset } = requirements;
  return (await authorizationState(rpc, asset, authorization, { blockHash: head.hash }))
    ? { status: 'unknown', reason: 'the node contradicts itself' }
    : { status: 'invalid', reason: 'expired without having been settled' };
}

/**
 * Searches back from the head to the time from which the authorization is valid, over at most `logRanges`
 * ranges.
 */
async function findSpending(
  { rpc, logRange, logRanges }: Search,
  authorization: PaymentAuthorization,
  { asset }: PaymentRequirements,
  head: Block,
): Promise<TokenLog | null> {
  const topics = spendingTopics(authorization);
  let toBlock = head.number;
  for (let range = 0; range < logRanges && toBlock >= 0; range += 1) {
    const fromBlock = Math.max(0, toBlock - logRange + 1);
    const filter = {
      address: asset,
      topics,
      fromBlock: toQuantity(fromBlock),
      toBlock: toQuantity(toBlock),
    };
    const [log] = readLogs(await rpc.send('eth_getLogs', [filter]));
    if (log !== undefined) return log;
    if ((await blockAt(rpc, fromBlock)).timestamp <= BigInt(authorization.validAfter)) return null;
    toBlock = fromBlock - 1;
  }
  return null;
}

async function resultOfSpending(
  { rpc, settler }: Search,
  spending: TokenLog,
  authorization: PaymentAuthorization,
  { asset, payTo, amount }: PaymentRequirements,
  head: Block,
): Promise<LookupResult> {
  const block = await blockAt(rpc, spending.blockNumber);
  // Another node behind the same address may have shown the log, from a block that is dropped by now.
  if (block.hash !== spending.blockHash)
    return { status: 'unknown', reason: 'the block of the log is not in the chain' };
  if (isCancellation(spending)) return { status: 'invalid', reason: 'cancelled by the payer' };
  const receipt = await rpc.send('eth_getTransactionReceipt', [spending.transactionHash]);
  if (typeof receipt !== 'object' || receipt === null || !('logs' in receipt))
    return { status: 'unknown', reason: 'the transaction has no receipt' };
  const logs = await logsOf(rpc, spending, receipt);
  const use = findUse(logs, asset, authorization);
  if (use === null) return { status: 'unknown', reason: 'the receipt does not match the log' };
  const paid = { from: authorization.from, to: payTo, value: BigInt(amount) };
  if (!transfersAfterUse(logs, use, paid)) return { status: 'invalid', reason: 'spent on another payment' };
  return {
    status: 'settled',
    transaction: spending.transactionHash,
    spentAt: Number(block.timestamp),
    asOf: Number(head.timestamp),
    ...(settler !== undefined && { sentBySettler: isFrom(receipt, settler) }),
  };
}

/**
 * The logs of the transaction in the block of the log `of`, at least those of the token. A node may still show a
 * receipt from a block that a reorganisation has dropped, in which the transaction did something else.
 */
async function logsOf(rpc: Rpc, of: TokenLog, receipt: { logs: unknown }): Promise<TokenLog[]> {
  if (String(field(receipt, 'blockHash')).toLowerCase() === of.blockHash) return readLogs(receipt.logs);
  const block = toQuantity(of.blockNumber);
  const filter = { address: of.address, fromBlock: block, toBlock: block };
  const logs = readLogs(await rpc.send('eth_getLogs', [filter]));
  return logs.filter((log) => log.blockHash === of.blockHash && log.transactionHash === of.transactionHash);
}

async function blockAt(rpc: Rpc, number: number): Promise<Block> {
  const block = await rpc.send('eth_getBlockByNumber', [toQuantity(number), false]);
  if (typeof block !== 'object' || block === null || !('timestamp' in block) || !('hash' in block))
    throw new Error(`the node has no block ${number}`);
  return {
    number,
    hash: String(block.hash).toLowerCase(),
    timestamp: bigQuantity(block.timestamp, 'timestamp'),
  };
}

function isFrom(receipt: object, sender: string): boolean {
  return (
    'from' in receipt &&
    typeof receipt.from === 'string' &&
    receipt.from.toLowerCase() === sender.toLowerCase()
  );
}
