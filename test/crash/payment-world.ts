/** A chain, one storage, and a line of server processes over them, each started when the one before was killed. */
import { Interface, Wallet } from 'ethers';
import { readLogs, type TokenLog } from '../../adapters/shared/evm/token';
import { startChain, USDC, type Chain } from '../chain/support/anvil';
import { standBy, type MortalServer } from './mortal-server';
import { openNodeGate, type NodeGate } from './node-gate';
import type { ServerSettings } from './payment-server';

export const USD = 1_000_000n;
const TRANSFER = new Interface(['event Transfer(address indexed from, address indexed to, uint256 value)']);
/** Longer than any lease of a dead process: of a payment 6 s, of the withdrawals 60 s. */
export const LEASES_MS = 61_000;
const PAYMENT_LEASE_MS = 7_000;

export interface Transfer {
  hash: string;
  value: bigint;
}

export interface World {
  chain: Chain;
  gate: NodeGate;
  payTo: string;
  settler: string;
  treasury: string;
  /** Settings of the servers that start from now on, in place of the usual ones. */
  settings: Partial<ServerSettings>;
  /** By the clock of the servers, in milliseconds. */
  now(): number;
  /** The server that lives, or a new one. */
  server(): Promise<MortalServer>;
  /** A server beside the others. */
  another(): Promise<MortalServer>;
  /** Sets the clocks of all servers that start from now on, and of those that are named, ahead. */
  pass(ms: number, ...servers: MortalServer[]): Promise<void>;
  /** Afterwards other servers may take over the payments of dead ones. */
  passLease(...servers: MortalServer[]): Promise<void>;
  transfers(from: string, to: string): Promise<Transfer[]>;
  close(): Promise<void>;
}

/** `storage` is a file of SQLite, or `postgres://…`. */
export async function createWorld(binary: string, storage: string): Promise<World> {
  const chain = await startChain(binary);
  const gate = await openNodeGate(chain.url);
  const [settler, treasury] = [Wallet.createRandom(), Wallet.createRandom()];
  const payTo = Wallet.createRandom().address;
  for (const { address } of [settler, treasury]) await chain.giveGas(address);
  await chain.mint(treasury.address, 10_000n * USD);
  const started: MortalServer[] = [];
  // The next one loads its program while the present one is at work.
  let next = standBy();
  let current: MortalServer | null = null;
  let aheadMs = 0;

  async function another(): Promise<MortalServer> {
    const taken = next;
    next = standBy();
    const server = await taken.start({
      storage,
      rpcUrl: gate.url,
      facilitatorUrl: null,
      facilitatorAsksChain: true,
      settlerKey: settler.privateKey,
      treasuryKey: treasury.privateKey,
      payTo,
      aheadMs,
      // The jobs run when a server starts, and when they are told to.
      jobIntervalMs: 86_400_000,
      ...world.settings,
    });
    started.push(server);
    return server;
  }

  async function pass(byMs: number, ...servers: MortalServer[]): Promise<void> {
    aheadMs += byMs;
    // The chain's time passes too: a payment that was spent before it came here is not honoured.
    await chain.rpc.send('evm_increaseTime', [Math.ceil(byMs / 1000)]);
    for (const server of servers) await server.tell({ order: 'advance', byMs });
  }

  const world: World = {
    settings: {},
    chain,
    gate,
    payTo,
    settler: settler.address,
    treasury: treasury.address,
    now: () => Date.now() + aheadMs,
    async server() {
      if (current === null || current.isDead()) current = await another();
      return current;
    },
    another,
    pass,
    passLease: (...servers) => pass(PAYMENT_LEASE_MS, ...servers),
    async transfers(from, to) {
      const topics = TRANSFER.encodeFilterTopics('Transfer', [from, to]);
      const filter = { address: USDC, topics, fromBlock: '0x0', toBlock: 'latest' };
      const logs: TokenLog[] = readLogs(await chain.rpc.send('eth_getLogs', [filter]));
      return logs.map(({ transactionHash, data }) => ({ hash: transactionHash, value: BigInt(data) }));
    },
    async close() {
      for (const server of [...started, next]) await server.kill();
      await gate.close();
      await chain.stop();
    },
  };
  return world;
}
