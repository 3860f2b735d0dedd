import { describeWith } from '../support/optional';
import { startChain, type Chain } from './support/anvil';
import { NodeError, openLyingNode, type LyingNode } from './support/lying-node';
import { fundedTreasury, prepared } from './support/treasury';

const UNFINAL_BLOCKS = 90;
const PENDING = { status: 'pending' };
const IN_TROUBLE = { ...PENDING, trouble: expect.any(String) as string };
const WITHOUT_FINAL_BLOCK: [node: string, code: number | null, message: string][] = [
  ['go-ethereum after its start', -32_000, 'finalized block not found'],
  ['Besu and Erigon', -39_001, 'Unknown block'],
  ['a node that limits requests', -32_005, 'rate limit exceeded'],
  ['a node that does not know the tag', -32_602, 'invalid argument 0: hex string without 0x prefix'],
  ['reth and Nethermind after their start', null, 'names no final block'],
];

describeWith('anvil', 'the payout adapter asks which block is final', (binary) => {
  let chain: Chain;
  let node: LyingNode;
  beforeEach(async () => {
    chain = await startChain(binary);
    node = await openLyingNode(chain.url);
  });
  afterEach(async () => {
    await node.close();
    await chain.stop();
  });

  /** The returned function makes the next request for the final block fail. */
  async function unfinalChain(): Promise<() => void> {
    await chain.automine(false);
    const final = `0x${(await chain.newestBlock()).toString(16)}`;
    let isAway = false;
    node.lie({
      eth_getBlockByNumber: ([tag, full], ask) => {
        if (tag !== 'finalized') return ask();
        if (!isAway) return ask([final, full]);
        isAway = false;
        throw new NodeError('rate limit exceeded', -32_005);
      },
    });
    return () => void (isAway = true);
  }

  async function overtaken() {
    const scene = await fundedTreasury(chain, { rpcUrl: node.url });
    const asked = scene.order();
    const failOnce = await unfinalChain();
    const state = await prepared(scene.payout, asked);
    await scene.make().submit(await prepared(scene.make(), scene.order(1n)));
    return { ...scene, asked, state, failOnce };
  }

  it('and does not take a block for final when the node does not answer once: the transfer comes in later', async () => {
    const { payout, order, address } = await fundedTreasury(chain, { rpcUrl: node.url });
    const asked = order();
    const tokens = await chain.tokens(address);
    const failOnce = await unfinalChain();
    const state = await prepared(payout, asked);
    await chain.setTokens(address, 0n);
    await payout.submit(state);
    await chain.mine(UNFINAL_BLOCKS);
    expect(await payout.check(state)).toEqual({ ...PENDING, ending: true });
    failOnce();
    await expect(payout.check(state)).rejects.toThrow('rate limit exceeded');

    await chain.reorg(UNFINAL_BLOCKS);
    await chain.setTokens(address, tokens);
    await payout.submit(state);
    await chain.mine(3);
    expect(await payout.check(state)).toMatchObject({ status: 'confirmed' });
    expect(await chain.tokens(asked.to)).toBe(asked.amount);
  });

  it('and does not count a payout as lost when the node does not answer once', async () => {
    const { payout, state, failOnce } = await overtaken();
    await chain.mine(UNFINAL_BLOCKS);
    expect(await payout.check(state)).toEqual({ ...IN_TROUBLE, ending: true });
    failOnce();
    const trouble = expect.stringContaining('rate limit exceeded') as string;
    expect(await payout.check(state)).toEqual({ ...PENDING, trouble, unknown: true });
  });

  it.each(WITHOUT_FINAL_BLOCK)('and has no proof from %s', async (_node, code, message) => {
    const { payout, order, address } = await fundedTreasury(chain, { rpcUrl: node.url });
    const asked = order();
    await chain.automine(false);
    const state = await prepared(payout, asked);
    await chain.setTokens(address, 0n);
    await payout.submit(state);
    await chain.mine(UNFINAL_BLOCKS);
    node.lie({
      eth_getBlockByNumber: ([tag], ask) => {
        if (tag !== 'finalized') return ask();
        if (code === null) return null;
        throw new NodeError(message, code);
      },
    });
    await expect(payout.check(state)).rejects.toThrow();
    node.lie({});
    expect(await payout.check(state)).toMatchObject({ status: 'failed' });
  });

  it('and counts a depth instead, on a chain without final blocks, if the operator says so', async () => {
    const { order, address, make } = await fundedTreasury(chain, { rpcUrl: node.url });
    const payout = make({ finalityDepth: 64 });
    node.lie({ eth_getBlockByNumber: ([tag], ask) => (tag === 'finalized' ? null : ask()) });
    await chain.automine(false);
    const state = await prepared(payout, order());
    await chain.setTokens(address, 0n);
    await payout.submit(state);
    await chain.mine(60);
    expect(await payout.check(state)).toEqual({ ...PENDING, ending: true });
    await chain.mine(10);
    expect(await payout.check(state)).toMatchObject({ status: 'failed' });
  });
});
