import { Interface } from 'ethers';
import { readLogs, type TokenLog } from '../../adapters/shared/evm/token';
import { startChain, USDC, type Chain } from '../chain/support/anvil';
import type { MortalServer } from './mortal-server';
import { openNodeGate, type NodeGate } from './node-gate';
import type { ServerSettings } from './payment-server';
import { createServerLine, type ServerLine } from './server-line';
import { randomAddress, randomWallet } from '../support/random-wallet';

export const USD = 1_000_000n;
const TRANSFER = new Interface(['event Transfer(address indexed from, address indexed to, uint256 value)']);
/** Longer than the leases of a dead process: 6 s for a payment, 60 s for the withdrawals. */
export const LEASES_MS = 61_000;
const PAYMENT_LEASE_MS = 7_000;

export interface Transfer {
  hash: string;
  value: bigint;
}

export interface World extends ServerLine {
  chain: Chain;
  gate: NodeGate;
  payTo: string;
  settler: string;
  treasury: string;
  /** Overrides single settings of servers that start from now on. */
  settings: Partial<ServerSettings>;
  passLease(...servers: MortalServer[]): Promise<void>;
  transfers(from: string, to: string): Promise<Transfer[]>;
}

export async function createWorld(binary: string, storage: string): Promise<World> {
  const chain = await startChain(binary);
  const gate = await openNodeGate(chain.url);
  const [settler, treasury] = [randomWallet(), randomWallet()];
  const payTo = randomAddress();
  for (const { address } of [settler, treasury]) await chain.giveGas(address);
  await chain.mint(treasury.address, 10_000n * USD);
  const line = createServerLine<ServerSettings>('test/crash/payment-server.ts', storage, (common) => ({
    ...common,
    rpcUrl: gate.url,
    facilitatorUrl: null,
    facilitatorAsksChain: true,
    settlerKey: settler.privateKey,
    treasuryKey: treasury.privateKey,
    payTo,
    ...world.settings,
  }));

  async function pass(byMs: number, ...servers: MortalServer[]): Promise<void> {
    // Chain and servers must agree on the time. Otherwise a payment seems to be spent before the server received
    // the payment, and the server refuses the payment.
    await chain.rpc.send('evm_increaseTime', [Math.ceil(byMs / 1000)]);
    await line.pass(byMs, ...servers);
  }

  const world: World = {
    ...line,
    settings: {},
    chain,
    gate,
    payTo,
    settler: settler.address,
    treasury: treasury.address,
    pass,
    passLease: (...servers) => pass(PAYMENT_LEASE_MS, ...servers),
    async transfers(from, to) {
      const topics = TRANSFER.encodeFilterTopics('Transfer', [from, to]);
      const filter = { address: USDC, topics, fromBlock: '0x0', toBlock: 'latest' };
      const logs: TokenLog[] = readLogs(await chain.rpc.send('eth_getLogs', [filter]));
      return logs.map(({ transactionHash, data }) => ({ hash: transactionHash, value: BigInt(data) }));
    },
    async close() {
      await line.close();
      await gate.close();
      await chain.stop();
    },
  };
  return world;
}
