import { spawn, type ChildProcess } from 'node:child_process';
import { AbiCoder, Interface, keccak256 } from 'ethers';
import { createRpc, toQuantity, type Rpc } from '../../../adapters/shared/evm/rpc';
import { balanceOf } from '../../../adapters/shared/evm/token';
import { REQUIREMENTS } from '../../facilitator/support/requirements';
import { contractCode } from './compile';
import { until } from '../../support/until';
import { randomAddress } from '../../support/random-wallet';

export const CHAIN_ID = 8453;
export const USDC = REQUIREMENTS.asset;
const MULTICALL = '0xcA11bde05977b3631167028862bE2a173976CA11';
const ONE_COIN = 10n ** 18n;
const BALANCES_SLOT = 0;
/** After this many newer blocks, anvil reports a block as final. */
export const FINAL_BLOCKS = 100;
const START_TIME_LIMIT_MS = 20_000;

const token = new Interface(['function mint(address to, uint256 value)']);

export interface Chain {
  url: string;
  rpc: Rpc;
  /** Needs no key of `from`. Resolves with the hash of the transaction. */
  send(from: string, data: string): Promise<string>;
  mined(hash: string): Promise<void>;
  /** `value` is in base units. */
  mint(to: string, value: bigint): Promise<void>;
  tokens(of: string): Promise<bigint>;
  setTokens(of: string, value: bigint): Promise<void>;
  /** Native coins, in wei. Default: one coin. */
  giveGas(to: string, wei?: bigint): Promise<void>;
  /** `true`: every transaction gets a block at once. `false`: only `mine` makes blocks. */
  automine(on: boolean): Promise<void>;
  mine(blocks?: number): Promise<void>;
  reorg(blocks: number): Promise<void>;
  drop(hash: string): Promise<void>;
  pool(sender: string): Promise<string[]>;
  newestBlock(): Promise<number>;
  stop(): Promise<void>;
}

export async function startChain(binary: string): Promise<Chain> {
  const child = spawn(binary, ['--port', '0', '--host', '127.0.0.1', '--chain-id', String(CHAIN_ID)], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const url = await listening(child);
  const rpc = createRpc({ url });
  const minter = randomAddress();
  await rpc.send('anvil_setCode', [USDC, contractCode('UsdCoin')]);
  await rpc.send('anvil_setCode', [MULTICALL, contractCode('Multicall')]);
  await rpc.send('anvil_setBalance', [minter, toQuantity(ONE_COIN)]);
  await rpc.send('anvil_impersonateAccount', [minter]);
  return {
    url,
    rpc,
    async send(from, data) {
      await rpc.send('anvil_impersonateAccount', [from]);
      const call = { from, to: USDC, data, gas: toQuantity(200_000) };
      return String(await rpc.send('eth_sendTransaction', [call]));
    },
    mined: (hash) => mined(rpc, hash),
    async mint(to, value) {
      const data = token.encodeFunctionData('mint', [to, value]);
      await mined(rpc, await rpc.send('eth_sendTransaction', [{ from: minter, to: USDC, data }]));
    },
    tokens: (of) => balanceOf(rpc, USDC, of),
    async setTokens(of, value) {
      const slot = keccak256(AbiCoder.defaultAbiCoder().encode(['address', 'uint256'], [of, BALANCES_SLOT]));
      await rpc.send('anvil_setStorageAt', [USDC, slot, `0x${value.toString(16).padStart(64, '0')}`]);
    },
    giveGas: async (to, wei = ONE_COIN) => void (await rpc.send('anvil_setBalance', [to, toQuantity(wei)])),
    automine: async (on) => void (await rpc.send('evm_setAutomine', [on])),
    mine: async (blocks = 1) => void (await rpc.send('anvil_mine', [toQuantity(blocks)])),
    reorg: async (blocks) => void (await rpc.send('anvil_rollback', [blocks])),
    drop: async (hash) => void (await rpc.send('anvil_dropTransaction', [hash])),
    pool: async (sender) => poolOf(await rpc.send('txpool_content', []), sender),
    newestBlock: async () => Number(await rpc.send('eth_blockNumber', [])),
    stop: () => stop(child),
  };
}

/** The chain answers the sender of a transaction before the block is made. */
async function mined(rpc: Rpc, hash: unknown): Promise<void> {
  const receipt = (): Promise<unknown> => rpc.send('eth_getTransactionReceipt', [hash]);
  await until(async () => (await receipt()) !== null, { what: 'the transaction is mined' });
}

function poolOf(content: unknown, sender: string): string[] {
  const parts = content as Record<'pending' | 'queued', Record<string, Record<string, { hash: string }>>>;
  return [parts.pending, parts.queued].flatMap((part) =>
    Object.entries(part)
      .filter(([address]) => address.toLowerCase() === sender.toLowerCase())
      .flatMap(([, byNonce]) => Object.values(byNonce).map(({ hash }) => hash)),
  );
}

function listening(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    const limit = setTimeout(() => fail(new Error('anvil did not start in time')), START_TIME_LIMIT_MS);
    function fail(error: Error): void {
      stopWaiting();
      child.kill('SIGKILL');
      reject(error);
    }
    const ended = (code: number | null): void => fail(new Error(`anvil ended with ${code}`));
    function read(chunk: Buffer): void {
      text += chunk.toString('utf8');
      const found = /Listening on (127\.0\.0\.1:\d+)/.exec(text);
      if (found === null) return;
      stopWaiting();
      resolve(`http://${found[1] ?? ''}`);
    }
    function stopWaiting(): void {
      clearTimeout(limit);
      child.off('error', fail);
      child.off('exit', ended);
      child.stdout?.off('data', read);
      // The chain logs each request, and a full pipe would stop the chain.
      child.stdout?.resume();
    }
    child.once('error', fail);
    child.once('exit', ended);
    child.stdout?.on('data', read);
  });
}

function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    child.once('exit', () => resolve());
    child.kill('SIGKILL');
  });
}
