/** The gas price that a transaction offers. Amounts are in wei. */
import { bigQuantity, type Rpc } from './rpc';

export type Fees =
  | { type: 2; maxFeePerGas: bigint; maxPriorityFeePerGas: bigint }
  /** The form for chains whose blocks have no base fee. */
  | { type: 0; gasPrice: bigint };

/** An offer at the current price. It is high enough until the base fee has doubled. */
export async function currentFees(rpc: Rpc): Promise<Fees> {
  const block = await rpc.send('eth_getBlockByNumber', ['latest', false]);
  if (typeof block !== 'object' || block === null) throw new Error('the node has no newest block');
  if (!('baseFeePerGas' in block) || typeof block.baseFeePerGas !== 'string') {
    return { type: 0, gasPrice: bigQuantity(await rpc.send('eth_gasPrice', []), 'eth_gasPrice') };
  }
  const tip = bigQuantity(await rpc.send('eth_maxPriorityFeePerGas', []), 'eth_maxPriorityFeePerGas');
  const base = bigQuantity(block.baseFeePerGas, 'baseFeePerGas');
  return { type: 2, maxFeePerGas: base * 2n + tip, maxPriorityFeePerGas: tip };
}

export function highestGasPrice(fees: Fees): bigint {
  return fees.type === 2 ? fees.maxFeePerGas : fees.gasPrice;
}

/**
 * The most offers of gas for one transaction. An offer is at least a quarter higher than the last offer that was not
 * refused.
 */
export const MOST_OFFERS = 16;

/**
 * The next offer. Nodes accept a replacement that raises both figures by a tenth. A quarter reaches the market
 * price sooner.
 */
export function raisedFees(before: Fees, current: Fees): Fees {
  if (before.type === 2 && current.type === 2) {
    return {
      type: 2,
      maxFeePerGas: larger(raised(before.maxFeePerGas), current.maxFeePerGas),
      maxPriorityFeePerGas: larger(raised(before.maxPriorityFeePerGas), current.maxPriorityFeePerGas),
    };
  }
  return { type: 0, gasPrice: larger(raised(highestGasPrice(before)), highestGasPrice(current)) };
}

const raised = (wei: bigint): bigint => wei + wei / 4n + 1n;
const larger = (a: bigint, b: bigint): bigint => (a > b ? a : b);
