/** Calls and logs of an ERC-20 token with EIP-3009 authorizations, such as USDC. */
import { Interface, Signature } from 'ethers';
import { parseSignature } from '../../../src/crypto/signature';
import type { PaymentAuthorization } from '../../../src/ports/facilitator';
import { bigQuantity, type Rpc } from './rpc';

const token = new Interface([
  'function balanceOf(address account) view returns (uint256)',
  'function authorizationState(address authorizer, bytes32 nonce) view returns (bool)',
  'function transfer(address to, uint256 value) returns (bool)',
  'function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)',
  'event Transfer(address indexed from, address indexed to, uint256 value)',
  'event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce)',
  'event AuthorizationCanceled(address indexed authorizer, bytes32 indexed nonce)',
]);

const topicOf = (name: string): string => token.getEvent(name)?.topicHash ?? '';
const TRANSFER = topicOf('Transfer');
const AUTHORIZATION_USED = topicOf('AuthorizationUsed');
const AUTHORIZATION_CANCELED = topicOf('AuthorizationCanceled');

// --- calls ---

/**
 * The data of a transfer. `reference` follows the arguments, where the token contract ignores it. Transfers
 * with different references are different transactions.
 */
export function transferData(to: string, value: bigint, reference: number): string {
  const call = token.encodeFunctionData('transfer', [to, value]);
  return `${call}${reference.toString(16).padStart(64, '0')}`;
}

/** The value in a call of `transfer`, with or without a reference. */
export function transferredValue(data: string): bigint {
  return bigQuantity(`0x${data.slice(74, 138)}`, 'transfer');
}

/** The call data of `transferWithAuthorization`. `null` when the signature or another field cannot be encoded. */
export function authorizationData(authorization: PaymentAuthorization): string | null {
  const { from, to, value, validAfter, validBefore, nonce, signature } = authorization;
  const parsed = parseSignature(signature);
  if (parsed === null) return null;
  const { v, r, s } = Signature.from(parsed.normalized);
  try {
    const values = [from, to, value, validAfter, validBefore, nonce, v, r, s];
    return token.encodeFunctionData('transferWithAuthorization', values);
  } catch {
    return null;
  }
}

/** With `blockHash`, only a node that has the block with that hash answers. */
export type BlockTag = 'latest' | 'pending' | `0x${string}` | { blockHash: string };

export async function balanceOf(
  rpc: Rpc,
  asset: string,
  account: string,
  block: BlockTag = 'latest',
): Promise<bigint> {
  const data = token.encodeFunctionData('balanceOf', [account]);
  return bigQuantity(await rpc.send('eth_call', [{ to: asset, data }, block]), 'balanceOf');
}

/** Whether the authorization's nonce was used or cancelled. */
export async function authorizationState(
  rpc: Rpc,
  asset: string,
  { from, nonce }: PaymentAuthorization,
  block: BlockTag = 'latest',
): Promise<boolean> {
  const data = token.encodeFunctionData('authorizationState', [from, nonce]);
  return bigQuantity(await rpc.send('eth_call', [{ to: asset, data }, block]), 'authorizationState') !== 0n;
}

// --- logs ---

export interface TokenLog {
  address: string;
  topics: string[];
  data: string;
  logIndex: number;
  blockNumber: number;
  /** In lower case. */
  blockHash: string;
  transactionHash: string;
}

/** The topics of the log that a token writes when the nonce of an authorization is used or cancelled. */
export function spendingTopics({ from, nonce }: PaymentAuthorization): (string | string[])[] {
  return [[AUTHORIZATION_USED, AUTHORIZATION_CANCELED], paddedAddress(from), nonce.toLowerCase()];
}

export function isCancellation(log: TokenLog): boolean {
  return sameHex(log.topics[0], AUTHORIZATION_CANCELED);
}

/** The log of the authorization's use in a receipt. `null` when the receipt has no such log. */
export function findUse(
  logs: readonly TokenLog[],
  asset: string,
  authorization: PaymentAuthorization,
): TokenLog | null {
  const [, from, nonce] = spendingTopics(authorization) as [string[], string, string];
  const found = logs.find(
    ({ address, topics }) =>
      sameHex(address, asset) &&
      sameHex(topics[0], AUTHORIZATION_USED) &&
      sameHex(topics[1], from) &&
      sameHex(topics[2], nonce),
  );
  return found ?? null;
}

/**
 * Whether the use of an authorization moved `value` from the payer to `to`. Only the token's first log after
 * `use` is the transfer of this authorization. One transaction may use several authorizations, so other
 * transfers in the receipt may belong to the other authorizations.
 */
export function transfersAfterUse(
  logs: readonly TokenLog[],
  use: TokenLog,
  paid: { from: string; to: string; value: bigint },
): boolean {
  const next = logs
    .filter((log) => sameHex(log.address, use.address) && log.logIndex > use.logIndex)
    .reduce<TokenLog | null>(
      (first, log) => (first === null || log.logIndex < first.logIndex ? log : first),
      null,
    );
  return (
    next !== null &&
    sameHex(next.topics[0], TRANSFER) &&
    sameHex(next.topics[1], paddedAddress(paid.from)) &&
    sameHex(next.topics[2], paddedAddress(paid.to)) &&
    bigQuantity(next.data, 'Transfer') === paid.value
  );
}

export function readLogs(value: unknown): TokenLog[] {
  if (!Array.isArray(value)) throw new TypeError('logs: expected an array');
  return value.map((entry: unknown) => {
    const log = entry as Record<string, unknown>;
    const { address, topics, data, transactionHash } = log;
    if (
      typeof address !== 'string' ||
      typeof data !== 'string' ||
      typeof transactionHash !== 'string' ||
      !Array.isArray(topics) ||
      !topics.every((topic) => typeof topic === 'string')
    )
      throw new TypeError('logs: expected address, topics, data and transactionHash');
    const logIndex = Number(bigQuantity(log.logIndex, 'logIndex'));
    const blockNumber = Number(bigQuantity(log.blockNumber, 'blockNumber'));
    const blockHash = String(log.blockHash).toLowerCase();
    return { address, topics, data, logIndex, blockNumber, blockHash, transactionHash };
  });
}

function paddedAddress(address: string): string {
  return `0x${address.slice(2).toLowerCase().padStart(64, '0')}`;
}

function sameHex(left: string | undefined, right: string): boolean {
  return left !== undefined && left.toLowerCase() === right.toLowerCase();
}
