import { memoryStorage } from '../../adapters/storage/memory';
import { createPredictionMarket, type PredictionMarket } from '../../src/create-prediction-market';
import { fakeFacilitator, fakeOracle } from '../../src/testing';
import { Wallet } from 'ethers';
import { evmPayout, type EvmPayout } from '../../adapters/payout/evm';
import type { PayoutOrder, PayoutProgress } from '../../src/ports/payout';
import { describeWith } from '../support/optional';
import { eventually, startChain, USDC, type Chain } from './support/anvil';

const USD = 1_000_000n;

describeWith('anvil', 'payouts on a chain', (binary) => {
  let chain: Chain;
  beforeAll(async () => {
    chain = await startChain(binary);
  });
  afterEach(() => chain.automine(true));
  afterAll(() => chain.stop());

  type Options = Partial<Parameters<typeof evmPayout>[0]>;

  /** A treasury of 1,000 USD with gas, and orders to wallets that have nothing. */
  async function scene(options: Options = {}) {
    const { privateKey, address } = Wallet.createRandom();
    await chain.giveGas(address);
    await chain.mint(address, 1_000n * USD);
    const make = (more: Options = {}): EvmPayout =>
      evmPayout({ rpcUrl: chain.url, privateKey, confirmations: 1, ...options, ...more });
    let id = 0;
    const order = (amount = 10n * USD): PayoutOrder => {
      id += 1;
      const to = Wallet.createRandom().address.toLowerCase();
      return { id, to, amount, network: 'eip155:8453', asset: USDC };
    };
    return { payout: make(), make, order, privateKey, address };
  }

  async function prepared(
    payout: EvmPayout,
    order: PayoutOrder,
    outstanding: string[] = [],
  ): Promise<string> {
    const result = await payout.prepare(order, outstanding);
    if (result.status !== 'prepared') throw new Error(JSON.stringify(result));
    return result.state;
  }

  async function finished(payout: EvmPayout, state: string): Promise<PayoutProgress> {
    let progress: PayoutProgress = { status: 'pending' };
    await eventually('the payout ends', async () => {
      progress = await payout.check(state);
      if (progress.status === 'pending') await payout.submit(state);
      return progress.status !== 'pending';
    });
    return progress;
  }

  it('pays, and says so by the transaction that it named before', async () => {
    const { payout, order } = await scene();
    const asked = order();
    const result = await payout.prepare(asked, []);
    if (result.status !== 'prepared') throw new Error(result.reason);
    expect(await chain.tokens(asked.to)).toBe(0n);
    await payout.submit(result.state);
    const progress = await finished(payout, result.state);
    expect(progress).toEqual({ status: 'confirmed', transaction: result.transaction });
    expect(await chain.tokens(asked.to)).toBe(asked.amount);
  });

  it('pays once however often a state is sent, by whichever process', async () => {
    const { payout, make, order } = await scene();
    const asked = order();
    const state = await prepared(payout, asked);
    await Promise.all(Array.from({ length: 10 }, () => make().submit(state)));
    expect((await finished(make(), state)).status).toBe('confirmed');
    await make().submit(state);
    expect(await chain.tokens(asked.to)).toBe(asked.amount);
  });

  it('sends what an earlier process had prepared and not sent, before and beside new ones', async () => {
    const { payout, make, order } = await scene();
    const orders = [order(), order(), order()];
    const states: string[] = [];
    for (const asked of orders) states.push(await prepared(payout, asked, states));
    const restarted = make();
    for (const state of [...states].reverse()) await restarted.submit(state).catch(() => undefined);
    for (const state of states) expect((await finished(restarted, state)).status).toBe('confirmed');
    for (const asked of orders) expect(await chain.tokens(asked.to)).toBe(asked.amount);
  });

  it('offers more gas for a payout that is stuck; only one of the two can be mined', async () => {
    const { payout, order, address } = await scene({ stuckAfterMs: 0 });
    await chain.automine(false);
    const asked = order();
    const first = await prepared(payout, asked);
    await payout.submit(first);
    const renewed = await payout.check(first);
    if (renewed.status !== 'renewed') throw new Error(JSON.stringify(renewed));
    await payout.submit(renewed.state);
    await payout.submit(first).catch(() => undefined);
    expect(await chain.pool(address)).toEqual([renewed.transaction]);
    await chain.mine();
    const progress = await payout.check(renewed.state);
    expect(progress).toEqual({ status: 'confirmed', transaction: renewed.transaction });
    expect(await chain.tokens(asked.to)).toBe(asked.amount);
  });

  it('finds an older offer that was mined after all', async () => {
    const { payout, order } = await scene({ stuckAfterMs: 0 });
    await chain.automine(false);
    const asked = order();
    const first = await payout.prepare(asked, []);
    if (first.status !== 'prepared') throw new Error(first.reason);
    await payout.submit(first.state);
    const renewed = await payout.check(first.state);
    if (renewed.status !== 'renewed') throw new Error(JSON.stringify(renewed));
    await chain.mine();
    const found = { status: 'confirmed', transaction: first.transaction };
    expect(await payout.check(renewed.state)).toEqual(found);
    expect(await chain.tokens(asked.to)).toBe(asked.amount);
  });

  it('waits for its confirmations, through a block that is dropped', async () => {
    const { payout, order } = await scene({ confirmations: 2 });
    await chain.automine(false);
    const asked = order();
    const state = await prepared(payout, asked);
    await payout.submit(state);
    await chain.mine();
    expect(await chain.tokens(asked.to)).toBe(asked.amount);
    expect(await payout.check(state)).toEqual({ status: 'pending' });
    await chain.reorg(1);
    expect(await chain.tokens(asked.to)).toBe(0n);
    expect(await payout.check(state)).toEqual({ status: 'pending' });
    await payout.submit(state);
    await chain.mine(2);
    expect((await payout.check(state)).status).toBe('confirmed');
    expect(await chain.tokens(asked.to)).toBe(asked.amount);
  });

  it('is lost only once another transaction has used its nonce for good', async () => {
    const { payout, make, order } = await scene();
    const asked = order();
    const state = await prepared(payout, asked);
    const foreign = await prepared(make(), order());
    await make().submit(foreign);
    expect((await finished(make(), foreign)).status).toBe('confirmed');
    expect(await payout.check(state)).toEqual({ status: 'pending' });
    await chain.mine(20);
    expect((await payout.check(state)).status).toBe('lost');
    const again = await prepared(payout, asked);
    await payout.submit(again);
    expect((await finished(payout, again)).status).toBe('confirmed');
    expect(await chain.tokens(asked.to)).toBe(asked.amount);
  });

  it('fails when the transfer reverts in its block', async () => {
    const { payout, make, order } = await scene();
    const states = [await prepared(payout, order(700n * USD))];
    states.push(await prepared(payout, order(700n * USD), states));
    for (const state of states) await payout.submit(state);
    expect((await finished(payout, states[0] ?? '')).status).toBe('confirmed');
    expect((await finished(make(), states[1] ?? '')).status).toBe('failed');
  });

  it('waits for money and gas, and refuses what can never be paid', async () => {
    const { payout, order, address } = await scene();
    expect((await payout.prepare(order(1_001n * USD), [])).status).toBe('unavailable');
    const nowhere = { ...order(), to: `0x${'0'.repeat(40)}` };
    expect((await payout.prepare(nowhere, [])).status).toBe('refused');
    const elsewhere = { ...order(), network: 'eip155:1' };
    expect((await payout.prepare(elsewhere, [])).status).toBe('unavailable');
    await chain.giveGas(address, 0n);
    expect((await payout.prepare(order(), [])).status).toBe('unavailable');
    await chain.giveGas(address);
    expect((await payout.prepare(order(), [])).status).toBe('prepared');
  });

  it('refuses states that it has not made', async () => {
    const { payout, order } = await scene();
    await expect(payout.check('of another adapter')).rejects.toThrow('another adapter');
    expect((await payout.prepare(order(), ['{"version":2}'])).status).toBe('unavailable');
  });

  it('pays the withdrawals of a market, and the books and the chain agree', async () => {
    const { payout } = await scene();
    const pm: PredictionMarket = createPredictionMarket({
      storage: memoryStorage(),
      oracle: fakeOracle(),
      facilitator: fakeFacilitator(),
      payout,
      payTo: Wallet.createRandom().address,
      resolutionIntervalMs: 20,
    });
    await pm.start();
    const wallets = Array.from({ length: 8 }, () => Wallet.createRandom().address);
    for (const [index, address] of wallets.entries())
      await pm.deposit({ address, amount: 20, reference: `chain-${index}` });
    const requested = await Promise.all(
      wallets.map((address) => pm.requestWithdrawal({ wallet: address, amount: 12.5 })),
    );
    await eventually('all are paid', async () => {
      const views = await Promise.all(
        requested.map(({ id }, index) => pm.getWithdrawal({ wallet: wallets[index] ?? '', id })),
      );
      return views.every(({ status, transaction }) => status === 'confirmed' && transaction !== null);
    });
    for (const address of wallets) {
      expect(await chain.tokens(address)).toBe(12_500_000n);
      expect(await pm.getBalance({ wallet: address })).toMatchObject({ balance: 7.5, reserved: 0 });
    }
    expect((await pm.audit()).ok).toBe(true);
    await pm.close();
  });
});
