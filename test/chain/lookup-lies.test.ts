import { createAuthorizationLookup } from '../../adapters/shared/evm/authorization-lookup';
import { createRpc, toQuantity } from '../../adapters/shared/evm/rpc';
import { authorizationData } from '../../adapters/shared/evm/token';
import { signedPayment } from '../../testing';
import { REQUIREMENTS } from '../facilitator/support/requirements';
import { describeWith } from '../support/optional';
import { startChain, type Chain } from './support/anvil';
import { NodeError, openLyingNode, type LyingNode } from './support/lying-node';
import { randomAddress, randomWallet } from '../support/random-wallet';

describeWith('anvil', 'a look-up on a node that lags behind', (binary) => {
  let chain: Chain;
  let node: LyingNode;
  beforeAll(async () => {
    chain = await startChain(binary);
    node = await openLyingNode(chain.url);
  });
  afterAll(async () => {
    await node.close();
    await chain.stop();
  });
  beforeEach(() => node.lie({}));

  const lookUp = () => createAuthorizationLookup({ rpc: createRpc({ url: node.url }) });
  async function newest(): Promise<{ number: number; seconds: number }> {
    const block = (await chain.rpc.send('eth_getBlockByNumber', ['latest', false])) as {
      number: string;
      timestamp: string;
    };
    return { number: Number(block.number), seconds: Number(block.timestamp) };
  }

  async function ended(isSpent: boolean) {
    const payer = randomWallet();
    await chain.mint(payer.address, 1_000_000n);
    const before = await newest();
    const { authorization } = await signedPayment(payer, REQUIREMENTS, before.seconds * 1000);
    const stranger = randomAddress();
    await chain.giveGas(stranger);
    const data = authorizationData(authorization) ?? '0x';
    const hash = isSpent ? await chain.send(stranger, data) : null;
    if (hash !== null) await chain.mined(hash);
    const spentAt = (await newest()).seconds;
    await chain.rpc.send('evm_increaseTime', [400]);
    await chain.mine();
    return { authorization, before, spentAt, hash };
  }

  it('takes an old state for no proof that a payment was never settled', async () => {
    const { authorization, before, hash, spentAt } = await ended(true);
    node.lie({
      eth_call: ([call, block], ask) =>
        typeof block === 'object' ? ask() : ask([call, toQuantity(before.number)]),
    });
    expect((await lookUp().lookup(authorization, REQUIREMENTS)).status).toBe('unknown');
    node.lie({
      eth_call: ([call, block], ask) => {
        if (typeof block === 'object') throw new NodeError('header not found');
        return ask([call, toQuantity(before.number)]);
      },
    });
    expect((await lookUp().lookup(authorization, REQUIREMENTS)).status).toBe('unknown');
    node.lie({});
    const found = await lookUp().lookup(authorization, REQUIREMENTS);
    expect(found).toEqual({ status: 'settled', transaction: hash, spentAt, asOf: expect.any(Number) });
  });

  it('reads no transfer and no time from the receipt of a dropped block that the node has kept', async () => {
    const { authorization, hash, spentAt } = await ended(true);
    const seen = (await chain.rpc.send('eth_getTransactionReceipt', [hash])) as {
      blockNumber: string;
      logs: { topics: string[] }[];
    };
    const [blockHash, blockNumber] = [`0x${'0D'.repeat(32)}`, toQuantity(Number(seen.blockNumber) - 1)];
    const dropped = { blockHash, blockNumber };
    const logs = seen.logs.map((log) => ({ ...log, ...dropped }));
    node.lie({ eth_getTransactionReceipt: () => ({ ...seen, ...dropped, logs }) });
    const settled = { status: 'settled', transaction: hash, spentAt, asOf: expect.any(Number) };
    expect(await lookUp().lookup(authorization, REQUIREMENTS)).toEqual(settled);
    // In the dropped block, the transaction reverted, so its receipt has no logs.
    node.lie({ eth_getTransactionReceipt: () => ({ ...seen, ...dropped, status: '0x0', logs: [] }) });
    expect(await lookUp().lookup(authorization, REQUIREMENTS)).toEqual(settled);
    // In the dropped block, the transaction used another authorization with the same nonce.
    const payTo = randomAddress().toLowerCase();
    const topic = `0x${payTo.slice(2).padStart(64, '0')}`;
    const paid = logs.map((log, index) => ({
      ...log,
      topics: log.topics.with(2, index === 0 ? (log.topics[2] ?? '') : topic),
    }));
    node.lie({ eth_getTransactionReceipt: () => ({ ...seen, ...dropped, logs: paid }) });
    expect((await lookUp().lookup(authorization, { ...REQUIREMENTS, payTo })).status).toBe('invalid');
    node.lie({
      eth_getLogs: async (_filter, ask) => ((await ask()) as object[]).map((log) => ({ ...log, ...dropped })),
    });
    expect((await lookUp().lookup(authorization, REQUIREMENTS)).status).toBe('unknown');
  });

  it('takes the state of the newest block as proof', async () => {
    const { authorization } = await ended(false);
    expect((await lookUp().lookup(authorization, REQUIREMENTS)).status).toBe('invalid');
  });

  it('tells as of which time of the chain a payment is unused', async () => {
    const payer = randomWallet();
    const { seconds } = await newest();
    const { authorization } = await signedPayment(payer, REQUIREMENTS, seconds * 1000);
    const found = await lookUp().lookup(authorization, REQUIREMENTS);
    expect(found).toEqual({ status: 'unused', asOf: seconds });
  });
});
