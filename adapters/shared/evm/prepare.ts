/** Everything about a transaction but its nonce, found out before one is given away. */
import type { Wallet } from 'ethers';
import { currentFees, highestGasPrice, type Fees } from './fees';
import { errorText, revertReason, type Rpc } from './rpc';
import { estimateGas, nativeBalance, newestBlockTime, type Call } from './transaction';

export interface PreparedCall extends Call {
  chainId: number;
  gasLimit: bigint;
  fees: Fees;
}

export type PrepareResult =
  | { status: 'ready'; call: PreparedCall }
  /** The contract refuses the call. */
  | { status: 'reverts'; reason: string }
  | { status: 'unavailable'; reason: string };

/** More than any transfer of a token needs: a contract that wants more than this is not what we think it is. */
export const LARGEST_GAS_LIMIT = 300_000n;

/** Two blocks of the chains that we know: payers wait for this. */
const EARLY_LOOKS = 8;
const EARLY_PAUSE_MS = 500;

/**
 * Simulates the call, and looks whether the key can pay for its gas. Never rejects. A call that is meant for blocks after
 * `notBefore` is not judged by an older one, which may be the newest that there is: the block that is being made may tell,
 * and if it does not either, the next one is waited for.
 */
export async function prepareCall(
  rpc: Rpc,
  wallet: Wallet,
  expectedChainId: number | null,
  call: Call,
): Promise<PrepareResult> {
  const prepare = (block: 'latest' | 'pending') => prepareOn(rpc, wallet, expectedChainId, call, block);
  const first = await prepare('latest');
  const { notBefore } = call;
  if (first.status !== 'reverts' || notBefore === undefined) return first;
  for (let look = 0; look < EARLY_LOOKS; look += 1) {
    const time = await newestBlockTime(rpc).catch(() => null);
    if (time === null) return { status: 'unavailable', reason: 'the newest block could not be read' };
    const prepared = await prepare(time > notBefore ? 'latest' : 'pending');
    // Another reason than before is not about the time.
    const isEarly = prepared.status === 'reverts' && prepared.reason === first.reason && time <= notBefore;
    if (!isEarly) return prepared;
    await new Promise((resolve) => setTimeout(resolve, EARLY_PAUSE_MS));
  }
  return { status: 'unavailable', reason: 'the chain has not come to the time of the call' };
}

async function prepareOn(
  rpc: Rpc,
  wallet: Wallet,
  expectedChainId: number | null,
  call: Call,
  block: 'latest' | 'pending',
): Promise<PrepareResult> {
  try {
    const chainId = await rpc.chainId();
    if (chainId !== expectedChainId)
      return { status: 'unavailable', reason: `the node is on chain ${chainId}` };
    const [estimate, fees, balance] = await Promise.all([
      estimateGas(rpc, wallet.address, call, block),
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
