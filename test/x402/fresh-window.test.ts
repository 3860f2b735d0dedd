/** A payment that is valid from this second on meets a chain whose newest block is older: it is early, not wrong. */
import { Wallet } from 'ethers';
import { evmFacilitator, type EvmFacilitator } from '../../adapters/facilitator/evm';
import { newestBlockTime } from '../../adapters/shared/evm/transaction';
import type { Payment } from '../../src/ports/facilitator';
import { signedPayment } from '../../testing';
import { REQUIREMENTS } from '../facilitator/support/requirements';
import { describeWith } from '../support/optional';
import { startChain, type Chain } from '../chain/support/anvil';
import { until } from '../support/until';

describeWith('anvil', 'a payment that is valid from this second on', (binary) => {
  let chain: Chain;
  let facilitator: EvmFacilitator;
  const payer = new Wallet(Wallet.createRandom().privateKey);
  const pauper = new Wallet(Wallet.createRandom().privateKey);
  beforeAll(async () => {
    chain = await startChain(binary);
    const settler = Wallet.createRandom();
    await chain.giveGas(settler.address);
    await chain.mint(payer.address, 1_000_000_000n);
    facilitator = evmFacilitator({ rpcUrl: chain.url, privateKey: settler.privateKey, pollIntervalMs: 15 });
    await chain.automine(false);
  });
  afterAll(async () => {
    facilitator.close();
    await chain.stop();
  });

  /** Signed when the newest block is some seconds old. */
  async function freshPayment(from: Wallet): Promise<Payment> {
    const time = await newestBlockTime(chain.rpc);
    await until(async () => Date.now() / 1000 > time + 2, { what: 'the newest block is old' });
    const now = Date.now();
    return signedPayment(from, REQUIREMENTS, now, { validAfter: String(Math.floor(now / 1000)) });
  }

  it('by a wallet without money is refused for that', async () => {
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
