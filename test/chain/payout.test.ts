import { memoryStorage } from '../../adapters/storage/memory';
import { createPredictionMarket, type PredictionMarket } from '../../src/create-prediction-market';
import { fakeFacilitator, fakeOracle } from '../../testing';
import { decodeState } from '../../adapters/payout/evm/state';
import { describeWith } from '../support/optional';
import { FINAL_BLOCKS, startChain, type Chain } from './support/anvil';
import { finished, fundedTreasury, prepared, USD } from './support/treasury';
import { until } from '../support/until';
import { randomAddress } from '../support/random-wallet';

describeWith('anvil', 'the payout adapter on a chain', (binary) => {
  let chain: Chain;
  beforeAll(async () => {
    chain = await startChain(binary);
  });
  afterEach(() => chain.automine(true));
  afterAll(() => chain.stop());

  it('pays by the transaction that it has named before', async () => {
    const { payout, order } = await fundedTreasury(chain);
    const asked = order();
    const result = await payout.prepare(asked, []);
    if (result.status !== 'prepared') throw new Error(JSON.stringify(result));
    expect(await chain.tokens(asked.to)).toBe(0n);
    await payout.submit(result.state);
    const progress = await finished(payout, result.state);
    expect(progress).toEqual({ status: 'confirmed', transaction: result.transaction });
    expect(await chain.tokens(asked.to)).toBe(asked.amount);
  });

  it('pays once however often and by however many processes a state is sent', async () => {
    const { payout, make, order } = await fundedTreasury(chain);
    const asked = order();
    const state = await prepared(payout, asked);
    await Promise.all(Array.from({ length: 10 }, () => make().submit(state)));
    expect((await finished(make(), state)).status).toBe('confirmed');
    await make().submit(state);
    expect(await chain.tokens(asked.to)).toBe(asked.amount);
  });

  it('sends what an earlier process prepared and did not send, before and beside new payouts', async () => {
    const { payout, make, order } = await fundedTreasury(chain);
    const orders = [order(), order(), order()];
    const states: string[] = [];
    for (const asked of orders) states.push(await prepared(payout, asked, states));
    const restarted = make();
    for (const state of [...states].reverse()) await restarted.submit(state).catch(() => undefined);
    for (const state of states) expect((await finished(restarted, state)).status).toBe('confirmed');
    for (const asked of orders) expect(await chain.tokens(asked.to)).toBe(asked.amount);
  });

  it('offers more gas for a stuck payout, and the chain mines one of the two offers', async () => {
    const { payout, order, address } = await fundedTreasury(chain, { stuckAfterMs: 0 });
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

  it('finds an older offer that the chain mined after all', async () => {
    const { payout, order } = await fundedTreasury(chain, { stuckAfterMs: 0 });
    await chain.automine(false);
    const asked = order();
    const first = await payout.prepare(asked, []);
    if (first.status !== 'prepared') throw new Error(JSON.stringify(first));
    await payout.submit(first.state);
    const renewed = await payout.check(first.state);
    if (renewed.status !== 'renewed') throw new Error(JSON.stringify(renewed));
    await chain.mine();
    const found = { status: 'confirmed', transaction: first.transaction };
    expect(await payout.check(renewed.state)).toEqual(found);
    expect(await chain.tokens(asked.to)).toBe(asked.amount);
  });

  it('waits for its confirmations, through a block that is dropped', async () => {
    const { payout, order } = await fundedTreasury(chain, { confirmations: 2 });
    await chain.automine(false);
    const asked = order();
    const state = await prepared(payout, asked);
    await payout.submit(state);
    await chain.mine();
    expect(await chain.tokens(asked.to)).toBe(asked.amount);
    expect(await payout.check(state)).toEqual({ status: 'pending', ending: true });
    await chain.reorg(1);
    expect(await chain.tokens(asked.to)).toBe(0n);
    expect(await payout.check(state)).toEqual({ status: 'pending' });
    await payout.submit(state);
    await chain.mine(2);
    expect((await payout.check(state)).status).toBe('confirmed');
    expect(await chain.tokens(asked.to)).toBe(asked.amount);
  });

  it('calls a payout lost only once another transaction has used its nonce for good', async () => {
    const { payout, make, order } = await fundedTreasury(chain);
    const asked = order();
    const state = await prepared(payout, asked);
    const foreign = await prepared(make(), order());
    await make().submit(foreign);
    expect((await finished(make(), foreign)).status).toBe('confirmed');
    expect(await payout.check(state)).toEqual({ status: 'pending', ending: true });
    await chain.mine(20);
    const hash = decodeState(foreign).signed[0]?.hash ?? '';
    expect(await payout.check(state)).toMatchObject({
      status: 'pending',
      trouble: expect.stringContaining(hash) as string,
    });
    await chain.mine(FINAL_BLOCKS);
    expect(await payout.check(state)).toMatchObject({
      status: 'lost',
      reason: expect.stringContaining(hash) as string,
    });
    const again = await prepared(payout, asked);
    await payout.submit(again);
    expect((await finished(payout, again)).status).toBe('confirmed');
    expect(await chain.tokens(asked.to)).toBe(asked.amount);
  });

  it('calls a payout failed when its transfer reverts in its block, once that block is final', async () => {
    const { payout, order, address } = await fundedTreasury(chain);
    const state = await prepared(payout, order(700n * USD));
    await chain.setTokens(address, 699n * USD);
    await payout.submit(state);
    await chain.mine(20);
    expect(await payout.check(state)).toEqual({ status: 'pending', ending: true });
    await chain.mine(FINAL_BLOCKS);
    expect((await payout.check(state)).status).toBe('failed');
  });

  it('waits for money and gas, and refuses what can never be paid', async () => {
    const { payout, order, address } = await fundedTreasury(chain);
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

  it('counts payouts under way as spent: of 1,000 it does not send 700 twice', async () => {
    const { payout, order } = await fundedTreasury(chain);
    const first = await prepared(payout, order(700n * USD));
    expect((await payout.prepare(order(700n * USD), [first])).status).toBe('unavailable');
    expect((await payout.prepare(order(300n * USD), [first])).status).toBe('prepared');
  });

  it('passes over states of another adapter, and refuses those of a newer version of itself', async () => {
    const { payout, order } = await fundedTreasury(chain);
    const newer = '{"version":3,"signed":[]}';
    expect((await payout.prepare(order(), ['{"version":2}'])).status).toBe('prepared');
    expect((await payout.prepare(order(), [newer])).status).toBe('unavailable');
    await expect(payout.check(newer)).rejects.toThrow('newer version');
    await expect(payout.submit('{"version":2}')).rejects.toThrow('another payout adapter');
  });

  it('pays the withdrawals of a market, and the books and the chain agree', async () => {
    const { payout } = await fundedTreasury(chain);
    const pm: PredictionMarket = createPredictionMarket({
      storage: memoryStorage(),
      oracle: fakeOracle(),
      // The payout moves real money, so the payments must not count as play money.
      facilitator: { ...fakeFacilitator(), playMoney: false },
      payout,
      payTo: randomAddress(),
      jobIntervalMs: 20,
    });
    await pm.start();
    const wallets = Array.from({ length: 8 }, () => randomAddress());
    for (const [index, address] of wallets.entries())
      await pm.deposit({ address, amount: 20, reference: `chain-${index}` });
    const requested = await Promise.all(
      wallets.map((address) => pm.requestWithdrawal({ wallet: address, amount: 12.5 })),
    );
    await until(
      async () => {
        const views = await Promise.all(
          requested.map(({ id }, index) => pm.getWithdrawal({ wallet: wallets[index] ?? '', id })),
        );
        return views.every(({ status, transaction }) => status === 'confirmed' && transaction !== null);
      },
      { what: 'all are paid' },
    );
    for (const address of wallets) {
      expect(await chain.tokens(address)).toBe(12_500_000n);
      expect(await pm.getBalance({ wallet: address })).toMatchObject({ balance: 7.5, reserved: 0 });
    }
    expect((await pm.audit()).ok).toBe(true);
    await pm.close();
  });
});
