import { decodeState } from '../../adapters/payout/evm/state';
import { describeWith } from '../support/optional';
import { FINAL_BLOCKS, startChain, type Chain } from './support/anvil';
import { NodeError, openLyingNode, type Lie, type LyingNode } from './support/lying-node';
import { laggingNode, pool } from './support/pool';
import { finished, fundedTreasury, prepared, type Treasury } from './support/treasury';

const NOT_KNOWN = { status: 'pending', trouble: expect.any(String) as string, unknown: true };
const NOTHING: Lie = () => null;
const UNKNOWN_METHOD: Lie = () => {
  throw new NodeError('the method does not exist', -32_601);
};
/** A node that is no archive node removes old states. */
const NO_OLD_STATES: Lie = ([, tag], ask) => {
  if (String(tag).startsWith('0x')) throw new NodeError('missing trie node');
  return ask();
};
const WITHOUT_INDEX = { eth_getTransactionReceipt: NOTHING, eth_getTransactionByHash: NOTHING };

const stoppedNode = (last: number): Record<string, Lie> => ({
  ...laggingNode(() => Promise.resolve(last), 0),
  eth_estimateGas: ([call], ask) => ask([call, `0x${last.toString(16)}`]),
});

describeWith('anvil', 'the payout adapter on a node that does not know everything', (binary) => {
  let chain: Chain;
  let node: LyingNode;
  beforeAll(async () => {
    chain = await startChain(binary);
    node = await openLyingNode(chain.url);
  });
  afterEach(async () => {
    node.lie({});
    await chain.automine(true);
  });
  afterAll(async () => {
    await node.close();
    await chain.stop();
  });

  const treasury = (): Promise<Treasury> => fundedTreasury(chain, { rpcUrl: node.url });
  const hashOf = (state: string): string => decodeState(state).signed[0]?.hash ?? '';

  async function paid() {
    const scene = await treasury();
    const asked = scene.order();
    const state = await prepared(scene.payout, asked);
    await scene.payout.submit(state);
    await chain.mine(FINAL_BLOCKS);
    expect(await chain.tokens(asked.to)).toBe(asked.amount);
    return { ...scene, asked, state };
  }

  async function overtaken() {
    const scene = await treasury();
    const asked = scene.order();
    const state = await prepared(scene.payout, asked);
    const foreign = await prepared(scene.make(), scene.order());
    await scene.make().submit(foreign);
    return { ...scene, asked, state, foreign };
  }

  it('finds a mined payout in its block when neither index of the node has it', async () => {
    const { payout, state } = await paid();
    node.lie(WITHOUT_INDEX);
    expect(await payout.check(state)).toEqual({ status: 'confirmed', transaction: hashOf(state) });
  });

  it.each<[string, Record<string, Lie>]>([
    ['receipts of blocks', { eth_getBlockReceipts: UNKNOWN_METHOD }],
    ['a receipt in its block', { eth_getBlockReceipts: () => [] }],
    ['that block', { eth_getBlockByNumber: NOTHING }],
    ['old states', { eth_getTransactionCount: NO_OLD_STATES }],
  ])('leaves a mined payout as it is, in trouble, without indexes and %s', async (_missing, lies) => {
    const { payout, state } = await paid();
    node.lie({ ...WITHOUT_INDEX, ...lies });
    expect(await payout.check(state)).toEqual(NOT_KNOWN);
    node.lie({});
    expect((await payout.check(state)).status).toBe('confirmed');
  });

  it.each<[string, Record<string, Lie>]>([
    ['that block', { eth_getBlockByNumber: NOTHING }],
    ['old states', { eth_getTransactionCount: NO_OLD_STATES }],
  ])('does not declare a payout lost without proof, on a node without %s', async (_missing, lies) => {
    const { payout, state } = await overtaken();
    await chain.mine(FINAL_BLOCKS);
    node.lie(lies);
    expect(await payout.check(state)).toEqual(NOT_KNOWN);
    node.lie({});
    expect((await payout.check(state)).status).toBe('lost');
  });

  it('remembers in which block it has seen the nonce used, for nodes that soon forget old states', async () => {
    const { payout, state } = await overtaken();
    await chain.mine(20);
    expect(await payout.check(state)).toMatchObject({
      status: 'pending',
      trouble: expect.any(String) as string,
    });
    await chain.mine(FINAL_BLOCKS);
    const recent = (await chain.newestBlock()) - 20;
    node.lie({
      eth_getTransactionCount: ([account, tag], ask) => {
        if (String(tag).startsWith('0x') && Number(tag) < recent) throw new NodeError('missing trie node');
        return ask([account, tag]);
      },
    });
    expect((await payout.check(state)).status).toBe('lost');
  });

  it('pays once although the chain takes the foreign transaction back after many blocks', async () => {
    const { payout, asked, state } = await overtaken();
    await chain.automine(false);
    await chain.mine(30);
    expect(await payout.check(state)).toMatchObject({
      status: 'pending',
      trouble: expect.any(String) as string,
    });
    await chain.reorg(31);
    await payout.submit(state);
    await chain.mine(2);
    expect((await payout.check(state)).status).toBe('confirmed');
    expect(await chain.tokens(asked.to)).toBe(asked.amount);
  });

  it('gives nothing back for a payout that reverts in a block that is dropped, and succeeds in the next', async () => {
    const { payout, order, address } = await treasury();
    const asked = order();
    const tokens = await chain.tokens(address);
    await chain.automine(false);
    const state = await prepared(payout, asked);
    await chain.setTokens(address, 0n);
    await payout.submit(state);
    await chain.mine(30);
    expect(await payout.check(state)).toEqual({ status: 'pending', ending: true });
    await chain.reorg(30);
    await chain.setTokens(address, tokens);
    await payout.submit(state);
    await chain.mine();
    expect((await payout.check(state)).status).toBe('confirmed');
    expect(await chain.tokens(asked.to)).toBe(asked.amount);
  });

  it('does not believe a receipt from a block that the other nodes have dropped', async () => {
    const { payout, order } = await treasury();
    await chain.automine(false);
    const asked = order();
    const state = await prepared(payout, asked);
    await payout.submit(state);
    await chain.mine();
    const orphan = await chain.rpc.send('eth_getTransactionReceipt', [hashOf(state)]);
    await chain.reorg(1);
    await chain.drop(hashOf(state));
    await chain.mine(3);
    node.lie({ eth_getTransactionReceipt: () => orphan });
    expect(await payout.check(state)).toEqual({ status: 'pending' });
    await payout.submit(state);
    await chain.mine();
    expect(await payout.check(state)).toEqual({ status: 'pending', ending: true });
    // The node still shows the receipt of the dropped block, so the adapter has to find the payout by its nonce.
    await chain.mine(FINAL_BLOCKS);
    expect((await payout.check(state)).status).toBe('confirmed');
    node.lie({});
    expect((await payout.check(state)).status).toBe('confirmed');
    expect(await chain.tokens(asked.to)).toBe(asked.amount);
  });

  it('never loses or repeats a payout in a pool of nodes of which some lag behind', async () => {
    let random = 1;
    const choose = (): number => (random = (random * 48_271) % 2_147_483_647) / 2_147_483_647;
    const head = (): Promise<number> => chain.newestBlock();
    const members = [null, laggingNode(head, 3), laggingNode(head, 40), laggingNode(head, 150)];
    for (let round = 0; round < 5; round += 1) {
      node.lie({});
      const { payout, make, order } = await treasury();
      const asked = order();
      const state = await prepared(payout, asked);
      await payout.submit(state);
      await chain.mine(1 + Math.floor(choose() * 200));
      node.lie(pool(members, choose));
      const workers = [payout, make({ stuckAfterMs: 0 })];
      let kept = state;
      for (let look = 0; look < 10; look += 1) {
        const worker = workers[look % 2] ?? payout;
        const progress = await worker.check(kept).catch(() => ({ status: 'pending' }) as const);
        expect(progress.status).not.toMatch(/lost|failed/);
        if (progress.status === 'renewed') kept = progress.state;
        if (progress.status === 'confirmed') expect(await chain.tokens(asked.to)).toBe(asked.amount);
        await worker.submit(kept).catch(() => undefined);
      }
      node.lie({});
      expect(await finished(make(), kept)).toEqual({ status: 'confirmed', transaction: hashOf(state) });
      expect(await chain.tokens(asked.to)).toBe(asked.amount);
    }
  });

  it('recovers from a nonce that a lagging node made it use twice', async () => {
    const { payout, make, order } = await treasury();
    const [first, second] = [order(), order()];
    const before = await prepared(payout, first);
    await payout.submit(before);
    await chain.mine(5);
    expect((await payout.check(before)).status).toBe('confirmed');
    node.lie(laggingNode(() => chain.newestBlock(), 10));
    const state = await prepared(make(), second);
    node.lie({});
    await payout.submit(state);
    await chain.mine(FINAL_BLOCKS);
    expect((await payout.check(state)).status).toBe('lost');
    const again = await prepared(payout, second);
    await payout.submit(again);
    expect((await finished(payout, again)).status).toBe('confirmed');
    expect(await chain.tokens(first.to)).toBe(first.amount);
    expect(await chain.tokens(second.to)).toBe(second.amount);
  });

  it('pays a second withdrawal of the same amount to the same wallet, though a lagging node gives both one nonce', async () => {
    const { payout, make, order } = await treasury();
    const first = order();
    const second = { ...order(), to: first.to };
    await chain.mine(5);
    const before = await prepared(payout, first);
    await payout.submit(before);
    const paidIn = await chain.newestBlock();
    await chain.mine(5);
    expect((await payout.check(before)).status).toBe('confirmed');
    // This node is stuck at the block before the first payout, so the node offers a nonce that is already used.
    node.lie(stoppedNode(paidIn - 1));
    const state = await prepared(make(), second);
    node.lie({});
    await payout.submit(state);
    await chain.mine(FINAL_BLOCKS);
    expect((await payout.check(state)).status).toBe('lost');
    const again = await prepared(payout, second);
    await payout.submit(again);
    expect((await finished(payout, again)).status).toBe('confirmed');
    expect(await chain.tokens(first.to)).toBe(first.amount + second.amount);
  });

  it('judges no payout by another chain that answers under the same address', async () => {
    const { payout, make, asked, state } = await overtaken();
    await chain.mine(FINAL_BLOCKS);
    node.lie({ eth_chainId: () => '0x1' });
    expect(await payout.check(state)).toMatchObject({
      status: 'pending',
      trouble: expect.stringContaining('chain 1') as string,
    });
    expect(await make().check(state)).toMatchObject({
      status: 'pending',
      trouble: expect.stringContaining('chain 1') as string,
    });
    expect((await make().prepare({ ...asked, network: 'eip155:1' }, [state])).status).toBe('prepared');
  });

  it('offers more gas a bounded number of times, however far the clock jumps', async () => {
    let now = Date.now();
    const scene = await fundedTreasury(chain, { rpcUrl: node.url, clock: { now: () => now } });
    await chain.automine(false);
    await chain.giveGas(scene.address, 10n ** 24n);
    const asked = scene.order();
    let state = await prepared(scene.payout, asked);
    await scene.payout.submit(state);
    for (let jump = 0; jump < 50; jump += 1) {
      now += 86_400_000;
      const progress = await scene.payout.check(state);
      if (progress.status === 'renewed') state = progress.state;
      await scene.payout.submit(state);
    }
    expect(decodeState(state).signed).toHaveLength(16);
    expect(await scene.payout.check(state)).toMatchObject({
      status: 'pending',
      trouble: expect.stringContaining('16 offers') as string,
    });
    await chain.mine(3);
    expect((await scene.payout.check(state)).status).toBe('confirmed');
    expect(await chain.tokens(asked.to)).toBe(asked.amount);
  });

  it('knows its own payout by a hash in upper case', async () => {
    const { payout, state } = await paid();
    const upper: Lie = async (_params, ask) =>
      JSON.parse(
        JSON.stringify(await ask()).replace(
          /"0x([0-9a-f]{64})"/g,
          (_hash, digits: string) => `"0x${digits.toUpperCase()}"`,
        ),
      ) as unknown;
    const confirmed = { status: 'confirmed', transaction: hashOf(state) };
    node.lie({ ...WITHOUT_INDEX, eth_getBlockByNumber: upper, eth_getBlockReceipts: upper });
    expect(await payout.check(state)).toEqual(confirmed);
    node.lie({ eth_getTransactionReceipt: upper });
    expect(await payout.check(state)).toEqual(confirmed);
  });
});
