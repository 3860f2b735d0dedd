/** A prepared payout as text: one nonce of the treasury's key, and every transaction that was signed for it. */
import type { Fees } from '../../evm/fees';
import type { PreparedCall } from '../../evm/prepare';
import type { SignedTransaction } from '../../evm/transaction';

/** All `signed` have the same nonce, recipient and amount: at most one of them is ever mined. */
export interface EvmPayoutState {
  nonce: number;
  call: PreparedCall;
  /** Newest last. */
  signed: SignedTransaction[];
  /** Milliseconds since the epoch, of the newest. */
  signedAt: number;
}

interface StoredState {
  version: 1;
  nonce: number;
  to: string;
  data: string;
  chainId: number;
  gasLimit: string;
  fees: { maxFeePerGas: string; maxPriorityFeePerGas: string } | { gasPrice: string };
  signed: SignedTransaction[];
  signedAt: number;
}

export function encodeState({ nonce, call, signed, signedAt }: EvmPayoutState): string {
  const { to, data, chainId, fees } = call;
  const stored: StoredState = {
    version: 1,
    nonce,
    to,
    data,
    chainId,
    gasLimit: call.gasLimit.toString(),
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

/** Throws for a state that another adapter, or a newer version of this one, has made. */
export function decodeState(text: string): EvmPayoutState {
  const stored = parse(text);
  if (stored?.version !== 1)
    throw new Error('evmPayout: a payout is under way that another adapter has prepared');
  const { to, data, chainId, nonce, signed, signedAt } = stored;
  const call = { to, data, chainId, gasLimit: BigInt(stored.gasLimit), fees: decodeFees(stored.fees) };
  return { nonce, call, signed, signedAt };
}

function parse(text: string): StoredState | null {
  try {
    return JSON.parse(text) as StoredState;
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
