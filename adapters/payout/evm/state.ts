/** A prepared payout as text: one nonce of one key, and every transaction that was signed for this nonce. */
import { Transaction } from 'ethers';
import type { Fees } from '../../shared/evm/fees';
import type { PreparedTransaction } from '../../shared/evm/prepare-transaction';
import { transferredValue } from '../../shared/evm/token';
import type { SignedTransaction } from '../../shared/evm/transaction';

/**
 * All transactions in `signed` have the same sender, nonce, recipient and amount, so at most one of them is
 * ever mined.
 */
export interface EvmPayoutState {
  /**
   * The address of the key that has signed. Operators may replace the treasury's key while payouts are under
   * way.
   */
  sender: string;
  nonce: number;
  prepared: PreparedTransaction;
  /** The signed transactions, newest last. */
  signed: SignedTransaction[];
  /** When the newest transaction was signed, in milliseconds since the epoch. */
  signedAt: number;
}

interface StoredState {
  /** The version of this format. The first version did not name the sender. */
  version: 1 | 2;
  sender?: string;
  nonce: number;
  to: string;
  data: string;
  chainId: number;
  gasLimit: string;
  fees: { maxFeePerGas: string; maxPriorityFeePerGas: string } | { gasPrice: string };
  signed: SignedTransaction[];
  signedAt: number;
}

const NEWEST_VERSION = 2;

export function encodeState({ sender, nonce, prepared, signed, signedAt }: EvmPayoutState): string {
  const { to, data, chainId, fees } = prepared;
  const stored: StoredState = {
    version: NEWEST_VERSION,
    sender,
    nonce,
    to,
    data,
    chainId,
    gasLimit: prepared.gasLimit.toString(),
    fees:
      fees.type === 2
        ? {
            maxFeePerGas: fees.maxFeePerGas.toString(),
            maxPriorityFeePerGas: fees.maxPriorityFeePerGas.toString(),
          }
        : { gasPrice: fees.gasPrice.toString() },
    signed,
    signedAt,
  };
  return JSON.stringify(stored);
}

/** Reads a state. Throws for a state that another adapter, or a newer version of this adapter, has made. */
export function decodeState(text: string): EvmPayoutState {
  const state = readState(text);
  if (state === null) throw new Error(`evmPayout: ${FOREIGN_STATE}`);
  return state;
}

export const FOREIGN_STATE = 'another payout adapter has prepared it';

/**
 * Reads a state. `null` for a state that another adapter has made. Throws for a state of a newer version of
 * this adapter.
 */
export function readState(text: string): EvmPayoutState | null {
  const stored = parse(text);
  const newest = stored?.signed.at(-1);
  if (stored === null || newest === undefined) return null;
  const { to, data, chainId, nonce, signed, signedAt } = stored;
  const prepared = { to, data, chainId, gasLimit: BigInt(stored.gasLimit), fees: decodeFees(stored.fees) };
  const sender = stored.sender ?? senderOf(newest.raw);
  return { sender, nonce, prepared, signed, signedAt };
}

/** The base units that the payout moves. */
export function amountOf({ prepared }: EvmPayoutState): bigint {
  return transferredValue(prepared.data);
}

function senderOf(raw: string): string {
  const { from } = Transaction.from(raw);
  if (from === null) throw new Error('evmPayout: a stored transaction is not signed');
  return from;
}

function parse(text: string): StoredState | null {
  const stored = jsonOf(text) as (Omit<StoredState, 'version'> & { version: unknown }) | null;
  if (typeof stored !== 'object' || stored === null) return null;
  const { version, signed } = stored;
  if (typeof version !== 'number' || !Array.isArray(signed)) return null;
  // `prepare` ignores a state that reads as `null` when it chooses the next nonce. A state of a newer version
  // also occupies a nonce, so it is an error.
  if (version > NEWEST_VERSION)
    throw new Error('evmPayout: a newer version of it has prepared a payout under way');
  return { ...stored, version: version as StoredState['version'] };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function decodeFees(fees: StoredState['fees']): Fees {
  return 'gasPrice' in fees
    ? { type: 0, gasPrice: BigInt(fees.gasPrice) }
    : {
        type: 2,
        maxFeePerGas: BigInt(fees.maxFeePerGas),
        maxPriorityFeePerGas: BigInt(fees.maxPriorityFeePerGas),
      };
}
