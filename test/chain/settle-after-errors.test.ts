import type { Wallet } from 'ethers';
import { evmFacilitator, type EvmFacilitator } from '../../adapters/facilitator/evm';
import type { Payment, PaymentRequirements } from '../../src/ports/facilitator';
import { signedPayment } from '../../testing';
import { REQUIREMENTS } from '../facilitator/support/requirements';
import { describeWith } from '../support/optional';
import { startChain, type Chain } from './support/anvil';
import { NodeError, openLyingNode, type Lie, type LyingNode } from './support/lying-node';
import { until } from '../support/until';
import { randomAddress, randomWallet } from '../support/random-wallet';

const AMOUNT = BigInt(REQUIREMENTS.amount);

describeWith('anvil', 'through a node that answers with errors,', (binary) => {
  let chain: Chain;
  let node: LyingNode;
  let facilitator: EvmFacilitator;
  let payer: Wallet;
  let requirements: PaymentRequirements;
  beforeAll(async () => {
    chain = await startChain(binary);
  });
  beforeEach(async () => {
    node = await openLyingNode(chain.url);
    const settler = randomWallet();
    payer = randomWallet();
    requirements = { ...REQUIREMENTS, payTo: randomAddress().toLowerCase() };
    await chain.giveGas(settler.address);
    await chain.mint(payer.address, 100n * AMOUNT);
    const { privateKey } = settler;
    facilitator = evmFacilitator({ rpcUrl: node.url, privateKey, pollIntervalMs: 15, timeoutMs: 2_000 });
  });
  afterEach(async () => {
    facilitator.close();
    await node.close();
    await chain.automine(true);
  });
  afterAll(() => chain.stop());

  const pay = (): Promise<Payment> => signedPayment(payer, requirements, Date.now());
  const received = (): Promise<bigint> => chain.tokens(requirements.payTo);

  const takenWith = (message: string, code = -32_000): Lie => {
    return async (_parameters, ask) => {
      await ask();
      throw new NodeError(message, code);
    };
  };
  const refusedWith = (message: string, code = -32_000): Lie => {
    return () => {
      throw new NodeError(message, code);
    };
  };

  it.each([
    ['upstream timed out', -32_000],
    ['internal error', -32_603],
    ['request failed or timed out', -32_603],
    ['limit exceeded', -32_005],
    ['header not found', -32_000],
    ['transaction was refused', -32_003],
    ['', -32_000],
  ])('an error that no list knows (%j, %i) does not mean that nothing was sent', async (message, code) => {
    node.lie({ eth_sendRawTransaction: takenWith(message, code) });
    const payment = await pay();
    const result = await facilitator.settle(payment, requirements);
    expect(await received()).toBe(AMOUNT);
    expect(result.status).toBe('settled');
    expect((await facilitator.lookup(payment, requirements)).status).toBe('settled');
  });

  it('a transaction that the chain never got is unknown at first, and is sent again', async () => {
    let sent = 0;
    node.lie({
      eth_sendRawTransaction: (_parameters, ask) => {
        sent += 1;
        if (sent === 1) throw new NodeError('upstream timed out');
        return ask();
      },
    });
    facilitator.close();
    const settler = randomWallet();
    await chain.giveGas(settler.address);
    const { privateKey } = settler;
    facilitator = evmFacilitator({ rpcUrl: node.url, privateKey, pollIntervalMs: 15, stuckAfterMs: 200 });
    expect((await facilitator.settle(await pay(), requirements)).status).toBe('settled');
    expect(await received()).toBe(AMOUNT);
  });

  it.each([
    'insufficient funds for gas * price + value: balance 0, tx cost 1, overshot 1',
    'intrinsic gas too low: gas 1, minimum needed 21000',
    'max fee per gas less than block base fee: address 0x1, maxFeePerGas: 1, baseFee: 2',
    'transaction underpriced: gas tip cap 0, minimum needed 1',
    'tx fee (2.00 ether) exceeds the configured cap (1.00 ether)',
    'txpool is full',
    'invalid chain id for signer: have 1 want 8453',
  ])('a final refusal (%j) means that nothing was sent', async (message) => {
    node.lie({ eth_sendRawTransaction: refusedWith(message) });
    const payment = await pay();
    expect((await facilitator.settle(payment, requirements)).status).toBe('unavailable');
    node.lie({});
    expect((await facilitator.settle(payment, requirements)).status).toBe('settled');
    expect(await received()).toBe(AMOUNT);
  });

  it('nonces that are always taken do not mean that nothing was sent', async () => {
    node.lie({ eth_sendRawTransaction: takenWith('nonce too low') });
    const payment = await pay();
    expect((await facilitator.settle(payment, requirements)).status).toBe('unknown');
    expect(await received()).toBe(AMOUNT);
    expect((await facilitator.lookup(payment, requirements)).status).toBe('settled');
  });

  it('the refusal of a second attempt does not speak for the first', async () => {
    const hidden = new Set<string>();
    // A pool of nodes hides a receipt in this way when one of the nodes lags behind.
    const found = (parameters: unknown[], ask: () => Promise<unknown>): Promise<unknown> | null =>
      hidden.has(String(parameters[0])) ? null : ask();
    node.lie({
      eth_sendRawTransaction: async (_parameters, ask) => {
        const hash = await ask();
        hidden.add(String(hash));
        return hash;
      },
      eth_getTransactionReceipt: found,
      // The authorization is spent. A node that lags behind answers that the authorization is unused.
      eth_call: () => `0x${'0'.repeat(64)}`,
    });
    const payment = await pay();
    expect((await facilitator.settle(payment, requirements)).status).toBe('unknown');
    expect(await received()).toBe(AMOUNT);
    node.lie({});
    await until(
      async () => {
        return (await facilitator.lookup(payment, requirements)).status === 'settled';
      },
      { what: 'it is found' },
    );
  });

  it('a reverted transfer is looked up later: another copy of it may still be mined', async () => {
    const poor = randomWallet();
    await chain.mint(poor.address, AMOUNT);
    await chain.automine(false);
    const payments = await Promise.all([1, 2].map(() => signedPayment(poor, requirements, Date.now())));
    const settling = Promise.all(payments.map((payment) => facilitator.settle(payment, requirements)));
    await until(
      async () => {
        return (
          Number(await chain.rpc.send('eth_getTransactionCount', [facilitator.address, 'pending'])) === 2
        );
      },
      { what: 'both wait' },
    );
    await chain.mine();
    expect((await settling).map(({ status }) => status).sort()).toEqual(['settled', 'unknown']);
  });
});
