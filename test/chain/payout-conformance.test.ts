import { payoutConformance } from '../../testing';
import { describeWith } from '../support/optional';
import { FINAL_BLOCKS, startChain, type Chain } from './support/anvil';
import { openLyingNode } from './support/lying-node';
import { fundedTreasury, prepared, USD } from './support/treasury';

/** Providers of nodes put a key into the URL of the node. No message may show the key. */
const KEY = 'the-key-of-the-account';

describeWith('anvil', 'payouts on a chain, held to the contract of the port', (binary) => {
  let chain: Chain;
  beforeAll(async () => {
    chain = await startChain(binary);
  });
  afterEach(() => chain.automine(true));
  afterAll(() => chain.stop());

  payoutConformance(
    { describe, it, expect },
    {
      // A check of the suite sends the node many requests.
      timeLimitMs: 60_000,
      async create() {
        const node = await openLyingNode(chain.url);
        const rpcUrl = `${node.url}/v2/${KEY}`;
        const scene = await fundedTreasury(chain, { rpcUrl, stuckAfterMs: 60_000 });
        const { payout, make, order, address, privateKey } = scene;
        const treasury = (): Promise<bigint> => chain.tokens(address);
        return {
          payout,
          order,
          treasury,
          received: ({ to }) => chain.tokens(to),
          another: async () => make(),
          fund: async (amount) => chain.setTokens(address, (await treasury()) + amount),
          unpayable: () => ({ ...order(), to: `0x${'0'.repeat(40)}` }),
          async stall() {
            await chain.automine(false);
            return async () => {
              await chain.mine();
              await chain.automine(true);
            };
          },
          async provisional() {
            // With one block less, no receipt is deep enough.
            const before = (number: unknown): string => `0x${(BigInt(String(number)) - 1n).toString(16)}`;
            node.lie({ eth_blockNumber: async (_parameters, ask) => before(await ask()) });
            return async () => node.lie({});
          },
          async overtake() {
            const direct = make({ rpcUrl: chain.url });
            await direct.submit(await prepared(direct, order(USD)));
            await chain.mine(FINAL_BLOCKS + 20);
          },
          async fail(state) {
            const before = await treasury();
            await chain.setTokens(address, 0n);
            await make({ rpcUrl: chain.url }).submit(state);
            await chain.mine(FINAL_BLOCKS);
            await chain.setTokens(address, before);
          },
          async hide() {
            const nothing = () => null;
            node.lie({
              eth_getTransactionReceipt: nothing,
              eth_getTransactionByHash: nothing,
              eth_getBlockReceipts: () => [],
              eth_getBlockByNumber: nothing,
            });
          },
          async loseAnswer() {
            node.lie({
              async eth_sendRawTransaction(_parameters, ask) {
                await ask();
                node.lie({});
                throw new Error('the answer is lost');
              },
            });
          },
          async failWith(status) {
            node.misbehave({ status });
            return async () => node.misbehave({});
          },
          async garble(nonsense) {
            node.misbehave({ nonsense });
            return async () => node.misbehave({});
          },
          async redirect(location) {
            node.misbehave({ location });
            return async () => node.misbehave({});
          },
          async silence(form) {
            node.misbehave(form === 'halfBody' ? { isHalf: true } : { isSilent: true });
            return async () => node.misbehave({});
          },
          cutOff: () => node.close(),
          secrets: [KEY, privateKey.slice(2)],
          destroy: () => node.close(),
        };
      },
    },
  );
});
