/**
 * A payment becomes valid in this second, and the newest block is older. The facilitator treats the payment as early,
 * not as invalid.
 */
import type { Wallet } from 'ethers';
import { evmFacilitator, type EvmFacilitator } from '../../adapters/facilitator/evm';
import { newestBlockTime } from '../../adapters/shared/evm/transaction';
import type { Payment } from '../../src/ports/facilitator';
import { signedPayment } from '../../testing';
import { REQUIREMENTS } from '../facilitator/support/requirements';
import { describeWith } from '../support/optional';
import { startChain, type Chain } from '../chain/support/anvil';
import { until } from '../support/until';
import { randomWallet } from '../support/random-wallet';

describeWith('anvil', 'a payment that is valid from this second on', (binary) => {
  let chain: Chain;
  let facilitator: EvmFacilitator;
  let aheadMs = 0;
  const clock = { now: () => Date.now() + aheadMs };
  const payer = randomWallet();
  const pauper = randomWallet();
  beforeAll(async () => {
    chain = await startChain(binary);
    const settler = randomWallet();
    await chain.giveGas(settler.address);
    await chain.mint(payer.address, 1_000_000_000n);
    const { privateKey } = settler;
    facilitator = evmFacilitator({ rpcUrl: chain.url, privateKey, pollIntervalMs: 15, clock });
    await chain.automine(false);
  });
  afterAll(async () => {
    facilitator.close();
    await chain.stop();
  });

  async function freshPayment(from: Wallet): Promise<Payment> {
    const newest = await newestBlockTime(chain.rpc);
    aheadMs += 3_000;
    await chain.rpc.send('evm_increaseTime', [3]);
    const now = clock.now();
    expect(Math.floor(now / 1000)).toBeGreaterThan(newest + 1);
    return signedPayment(from, REQUIREMENTS, now, { validAfter: String(Math.floor(now / 1000)) });
  }

  it('is refused for want of money when its wallet has none', async () => {
    const payment = await freshPayment(pauper);
    expect(await facilitator.verify(payment, REQUIREMENTS)).toEqual({ status: 'insufficient_funds' });
  });

  it('is settled in the next block', async () => {
    const payment = await freshPayment(payer);
    expect(await facilitator.verify(payment, REQUIREMENTS)).toEqual({ status: 'valid' });
    const settled = facilitator.settle(payment, REQUIREMENTS);
    await until(
      async () => {
        await chain.mine();
        return (await chain.tokens(REQUIREMENTS.payTo)) > 0n;
      },
      { what: 'the payment is mined' },
    );
    expect((await settled).status).toBe('settled');
  });
});
