import { evmPayout, type EvmPayout, type EvmPayoutOptions } from '../../../adapters/payout/evm';
import type { PayoutOrder, PayoutProgress } from '../../../src/ports/payout';
import { USDC, type Chain } from './anvil';
import { until } from '../../support/until';
import { randomAddress, randomWallet } from '../../support/random-wallet';

export const USD = 1_000_000n;

type Options = Partial<EvmPayoutOptions>;

export interface Treasury {
  payout: EvmPayout;
  make(more?: Options): EvmPayout;
  order(amount?: bigint): PayoutOrder;
  privateKey: string;
  address: string;
}

export async function fundedTreasury(chain: Chain, options: Options = {}): Promise<Treasury> {
  const { privateKey, address } = randomWallet();
  await chain.giveGas(address);
  await chain.mint(address, 1_000n * USD);
  const make = (more: Options = {}): EvmPayout =>
    evmPayout({ rpcUrl: chain.url, privateKey, confirmations: 1, ...options, ...more });
  let id = 0;
  const order = (amount = 10n * USD): PayoutOrder => {
    id += 1;
    const to = randomAddress().toLowerCase();
    return { id, to, amount, network: 'eip155:8453', asset: USDC };
  };
  return { payout: make(), make, order, privateKey, address };
}

export async function prepared(
  payout: EvmPayout,
  order: PayoutOrder,
  outstanding: string[] = [],
): Promise<string> {
  const result = await payout.prepare(order, outstanding);
  if (result.status !== 'prepared') throw new Error(JSON.stringify(result));
  return result.state;
}

export async function finished(payout: EvmPayout, state: string): Promise<PayoutProgress> {
  let progress: PayoutProgress = { status: 'pending' };
  await until(
    async () => {
      progress = await payout.check(state);
      if (progress.status === 'pending') await payout.submit(state);
      return progress.status !== 'pending';
    },
    { what: 'the payout ends' },
  );
  return progress;
}
