/** Finds out the chain, the gas limit and the fees of a transaction. */
import type { Wallet } from 'ethers';
import { currentFees, highestGasPrice, type Fees } from './fees';
import { errorText, revertReason, type Rpc } from './rpc';
import { estimateGas, nativeBalance, newestBlockTime, type ContractCall } from './transaction';

export interface PreparedTransaction extends ContractCall {
  chainId: number;
  gasLimit: bigint;
  fees: Fees;
}

export type PrepareResult =
  | { status: 'ready'; prepared: PreparedTransaction }
  /** The contract refuses the call, so it is not sent. */
  | { status: 'reverts'; reason: string }
  | { status: 'unavailable'; reason: string };

/** The most gas that a call may need. A token transfer needs less, so a contract that asks for more is refused. */
export const LARGEST_GAS_LIMIT = 300_000n;

/**
 * How many times a call that is too early is simulated again. The pauses together take four seconds, which is two
 * blocks of Base. The payer waits during this time.
 */
const EARLY_ATTEMPTS = 8;
const EARLY_PAUSE_MS = 500;

/**
 * Simulates the call and checks that the key can pay for the gas. Never rejects. A call with `notBefore` reverts on a
 * block up to that time. If the newest block is too early, the call is simulated on the pending block and then
 * on later blocks, `EARLY_ATTEMPTS` times at most.
 */
export async function prepareTransaction(
  rpc: Rpc,
  wallet: Wallet,
  expectedChainId: number | null,
  call: ContractCall,
): Promise<PrepareResult> {
  const prepare = (block: 'latest' | 'pending') => prepareOn(rpc, wallet, expectedChainId, call, block);
  const first = await prepare('latest');
  const { notBefore } = call;
  if (first.status !== 'reverts' || notBefore === undefined) return first;
  for (let attempt = 0; attempt < EARLY_ATTEMPTS; attempt += 1) {
    const time = await newestBlockTime(rpc).catch(() => null);
    if (time === null) return { status: 'unavailable', reason: 'the newest block could not be read' };
    const prepared = await prepare(time > notBefore ? 'latest' : 'pending');
    // A call that now reverts for another reason is not too early, so another simulation would not help.
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
  call: ContractCall,
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
    // The limit is a quarter above the estimate: the call may need more gas if other transactions change the
    // state before it.
    const gasLimit = estimate + estimate / 4n;
    if (balance < gasLimit * highestGasPrice(fees))
      return { status: 'unavailable', reason: `${wallet.address} cannot pay for gas` };
    return { status: 'ready', prepared: { ...call, chainId, gasLimit, fees } };
  } catch (error) {
    const reason = revertReason(error);
    return reason === null
      ? { status: 'unavailable', reason: errorText(error) }
      : { status: 'reverts', reason };
  }
}
