import { Transaction, Wallet } from 'ethers';
import { evmFacilitator, type EvmFacilitator } from '../../adapters/facilitator/evm';
import { MOST_OFFERS } from '../../adapters/shared/evm/fees';
import type { Payment, PaymentRequirements } from '../../src/ports/facilitator';
import { signedPayment } from '../../testing';
import { REQUIREMENTS } from '../facilitator/support/requirements';
import { describeWith } from '../support/optional';
import { CHAIN_ID, startChain, type Chain } from './support/anvil';
import { NodeError, openLyingNode, type LyingNode } from './support/lying-node';
import { until } from '../support/until';
import { randomAddress, randomWallet } from '../support/random-wallet';

const AMOUNT = BigInt(REQUIREMENTS.amount);
const DAY_MS = 86_400_000;

describeWith('anvil', 'the settler', (binary) => {
  let chain: Chain;
  let node: LyingNode;
  let settler: Wallet;
  let facilitator: EvmFacilitator;
  let requirements: PaymentRequirements;
  let payment: Payment;
  let now: number;
  beforeAll(async () => {
    chain = await startChain(binary);
  });
  beforeEach(async () => {
    node = await openLyingNode(chain.url);
    settler = randomWallet();
    const payer = randomWallet();
    requirements = { ...REQUIREMENTS, payTo: randomAddress().toLowerCase() };
    await chain.giveGas(settler.address, 10n ** 24n);
    await chain.mint(payer.address, AMOUNT);
    now = Date.now();
    payment = await signedPayment(payer, requirements, now);
    const { privateKey } = settler;
    facilitator = evmFacilitator({
      ...{ rpcUrl: node.url, privateKey, pollIntervalMs: 15 },
      clock: { now: () => now },
    });
  });
  afterEach(async () => {
    facilitator.close();
    await node.close();
    await chain.automine(true);
  });
  afterAll(() => chain.stop());

  const received = (): Promise<bigint> => chain.tokens(requirements.payTo);

  /** Resolves when the settler watches the transaction. A test moves the clock only after that. */
  async function waitingSettlement() {
    await chain.automine(false);
    const settling = facilitator.settle(payment, requirements);
    await until(async () => (await chain.pool(settler.address)).length === 1, {
      what: 'the transaction waits',
    });
    const looks = node.asked('eth_getTransactionCount');
    await until(() => node.asked('eth_getTransactionCount') > looks, { what: 'the transaction is watched' });
    const [hash = ''] = await chain.pool(settler.address);
    return { settling, hash };
  }

  it('does not call its transaction replaced when the node shows the receipt late', async () => {
    let hidden = 12;
    node.lie({ eth_getTransactionReceipt: (_parameters, ask) => (hidden-- > 0 ? null : ask()) });
    expect((await facilitator.settle(payment, requirements)).status).toBe('settled');
    expect(node.asked('eth_sendRawTransaction')).toBe(1);
    expect(await received()).toBe(AMOUNT);
  });

  it('gives up after a minute when the node never shows what has used the nonce', async () => {
    node.lie({ eth_getTransactionReceipt: () => null });
    const settling = facilitator.settle(payment, requirements);
    await until(async () => node.asked('eth_getTransactionReceipt') > 3, { what: 'receipts are asked for' });
    now += DAY_MS;
    expect(await settling).toEqual({ status: 'unknown', reason: 'the transaction was not shown' });
    expect(await received()).toBe(AMOUNT);
    expect(node.asked('eth_sendRawTransaction')).toBe(1);
  });

  async function useNonce(hash: string): Promise<void> {
    const foreign = await new Wallet(settler.privateKey).signTransaction({
      ...{ to: settler.address, chainId: CHAIN_ID, nonce: 0, gasLimit: 21_000n, type: 2 },
      ...{ maxFeePerGas: 10n ** 11n, maxPriorityFeePerGas: 10n ** 10n },
    });
    await chain.drop(hash);
    await chain.rpc.send('eth_sendRawTransaction', [foreign]);
    await chain.mine();
    expect(await received()).toBe(0n);
  }

  it('sends the payment again once another transaction of the key has used the nonce', async () => {
    const { settling, hash } = await waitingSettlement();
    await useNonce(hash);
    await chain.automine(true);
    expect((await settling).status).toBe('settled');
    expect(await received()).toBe(AMOUNT);
  });

  it('does not believe the receipt of a dropped block that the node has kept', async () => {
    const { settling, hash } = await waitingSettlement();
    let shown: unknown = null;
    node.lie({ eth_getTransactionReceipt: ([asked], ask) => (asked === hash ? shown : ask()) });
    await chain.mine();
    const orphan = await chain.rpc.send('eth_getTransactionReceipt', [hash]);
    await chain.reorg(1);
    await useNonce(hash);
    shown = orphan;
    await chain.automine(true);
    expect((await settling).status).toBe('settled');
    expect(await received()).toBe(AMOUNT);
  });

  it('finds an offer of more gas that the node has refused and mined all the same', async () => {
    const { settling, hash } = await waitingSettlement();
    let refused = '';
    node.lie({
      eth_sendRawTransaction: async (_parameters, ask) => {
        refused = String(await ask());
        throw new NodeError('txpool is full');
      },
    });
    now += 20_000;
    await until(
      async () => {
        const [waiting] = await chain.pool(settler.address);
        return refused !== '' && waiting === refused;
      },
      { what: 'more gas is offered' },
    );
    node.lie({});
    expect(refused).not.toBe(hash);
    await chain.mine();
    expect(await settling).toEqual({ status: 'settled', transaction: refused });
    expect(await received()).toBe(AMOUNT);
  });

  it('offers more gas a bounded number of times, however far the clock jumps', async () => {
    const offers = new Set<string>();
    node.lie({
      eth_sendRawTransaction: ([raw], ask) => {
        offers.add(Transaction.from(String(raw)).hash ?? '');
        return ask();
      },
    });
    const { settling } = await waitingSettlement();
    for (let jump = 0; jump < 2 * MOST_OFFERS; jump += 1) {
      const before = node.asked('eth_sendRawTransaction');
      now += DAY_MS;
      await until(async () => node.asked('eth_sendRawTransaction') > before, { what: 'it is sent again' });
    }
    expect(offers.size).toBe(MOST_OFFERS);
    await chain.mine();
    expect([...offers].at(-1)).toBe(((await settling) as { transaction?: unknown }).transaction);
    expect(await received()).toBe(AMOUNT);
  });
});
