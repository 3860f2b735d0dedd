/**
 * An error of the node does not prove that a block is final. docs/money-in-and-out.md "When a transfer is
 * lost or stuck".
 */
import { describeWith } from '../support/optional';
import { FINAL_BLOCKS, startChain, type Chain } from './support/anvil';
import { NodeError, openLyingNode, type LyingNode } from './support/lying-node';
import { fundedTreasury, prepared } from './support/treasury';

const UNFINAL_BLOCKS = 90;
const PENDING = { status: 'pending' };
const IN_TROUBLE = { ...PENDING, trouble: expect.any(String) as string };

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

  /**
   * Stops automatic blocks, and freezes the final block as it is now. The first request for that block after
   * a call of the returned function fails.
   */
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

  /** The payout was not sent, and another transaction of the same key has its nonce. */
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
    expect(await payout.check(state)).toEqual(PENDING);
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
    expect(await payout.check(state)).toEqual(IN_TROUBLE);
    failOnce();
    expect(await payout.check(state)).toEqual(IN_TROUBLE);
  });

  it('and counts 64 blocks as final when the node does not know the tag', async () => {
    const { payout, state } = await overtaken();
    node.lie({
      eth_getBlockByNumber: ([tag], ask) => {
        if (tag !== 'finalized') return ask();
        throw new NodeError('invalid argument 0: hex string without 0x prefix', -32_602);
      },
    });
    await chain.mine(30);
    expect(await payout.check(state)).toEqual(IN_TROUBLE);
    await chain.mine(FINAL_BLOCKS);
    expect(await payout.check(state)).toMatchObject({ status: 'lost' });
  });
});
