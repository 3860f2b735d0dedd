/** Everything about a transaction but its nonce, found out before one is given away. */
import type { Wallet } from 'ethers';
import { currentFees, highestGasPrice, type Fees } from './fees';
import { errorText, revertReason, type Rpc } from './rpc';
import { estimateGas, nativeBalance, type Call } from './transaction';

export interface PreparedCall extends Call {
  chainId: number;
  gasLimit: bigint;
  fees: Fees;
}

export type PrepareResult =
  | { status: 'ready'; call: PreparedCall }
  /** The contract refuses the call in the newest state. */
  | { status: 'reverts'; reason: string }
  | { status: 'unavailable'; reason: string };

/** More than any transfer of a token needs: a contract that wants more than this is not what we think it is. */
export const LARGEST_GAS_LIMIT = 300_000n;

/** Simulates the call, and looks whether the key can pay for its gas. Never rejects. */
export async function prepareCall(
  rpc: Rpc,
  wallet: Wallet,
  expectedChainId: number | null,
  call: Call,
): Promise<PrepareResult> {
  try {
    const chainId = await rpc.chainId();
    if (chainId !== expectedChainId)
      return { status: 'unavailable', reason: `the node is on chain ${chainId}` };
    const [estimate, fees, balance] = await Promise.all([
      estimateGas(rpc, wallet.address, call),
      currentFees(rpc),
      nativeBalance(rpc, wallet.address),
    ]);
    if (estimate > LARGEST_GAS_LIMIT)
      return { status: 'unavailable', reason: `the call needs ${estimate} gas` };
    // The state moves on between the estimate and the block: storage slots may have to be written anew.
    const gasLimit = estimate + estimate / 4n;
    if (balance < gasLimit * highestGasPrice(fees))
      return { status: 'unavailable', reason: `${wallet.address} cannot pay for gas` };
    return { status: 'ready', call: { ...call, chainId, gasLimit, fees } };
  } catch (error) {
    const reason = revertReason(error);
    return reason === null
      ? { status: 'unavailable', reason: errorText(error) }
      : { status: 'reverts', reason };
  }
}
