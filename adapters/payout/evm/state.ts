/** A prepared payout as text: one nonce of one key, and every transaction that was signed for it. */
import { Transaction } from 'ethers';
import type { Fees } from '../../shared/evm/fees';
import type { PreparedTransaction } from '../../shared/evm/prepare';
import { transferredValue } from '../../shared/evm/token';
import type { SignedTransaction } from '../../shared/evm/transaction';

/** All `signed` have the same sender, nonce, recipient and amount: at most one of them is ever mined. */
export interface EvmPayoutState {
  /** Address of the key that signed. Operators may replace the treasury's key while payouts are under way. */
  sender: string;
  nonce: number;
  prepared: PreparedTransaction;
  /** Newest last. */
  signed: SignedTransaction[];
  /** When the newest was signed, milliseconds since the epoch. */
  signedAt: number;
}

interface StoredState {
  /** The first version did not name the sender. */
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

export function encodeState({ sender, nonce, prepared, signed, signedAt }: EvmPayoutState): string {
  const { to, data, chainId, fees } = prepared;
  const stored: StoredState = {
    version: 2,
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

/** Throws for a state that another adapter or a newer version of this one has made. */
export function decodeState(text: string): EvmPayoutState {
  const stored = parse(text);
  const newest = stored?.signed.at(-1);
  if (stored === null || newest === undefined)
    throw new Error('evmPayout: a payout is under way that another adapter has prepared');
  const { to, data, chainId, nonce, signed, signedAt } = stored;
  const prepared = { to, data, chainId, gasLimit: BigInt(stored.gasLimit), fees: decodeFees(stored.fees) };
  const sender = stored.sender ?? senderOf(newest.raw);
  return { sender, nonce, prepared, signed, signedAt };
}

/** Base units that the payout moves. */
export function amountOf({ prepared }: EvmPayoutState): bigint {
  return transferredValue(prepared.data);
}

function senderOf(raw: string): string {
  const { from } = Transaction.from(raw);
  if (from === null) throw new Error('evmPayout: a stored transaction is not signed');
  return from;
}

function parse(text: string): StoredState | null {
  try {
    const stored = JSON.parse(text) as StoredState;
    const isKnown = stored.version === 1 || stored.version === 2;
    return isKnown && Array.isArray(stored.signed) ? stored : null;
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
