import { ExactEvmScheme } from '@x402/evm';
import { wrapFetchWithPaymentFromConfig } from '@x402/fetch';
import { Wallet } from 'ethers';
import { createWalletClient, http } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { base } from 'viem/chains';
import { wrapFetchWithPayment } from 'x402-fetch';
import { evmFacilitator, type EvmFacilitator } from '../../adapters/facilitator/evm';
import { sqliteStorage } from '../../adapters/storage/sqlite';
import { createClient, fromEthers, type PayWith, type PredictionMarketClient } from '../../src/client/index';
import { startChain, type Chain } from '../chain/support/anvil';
import { describeWith } from '../support/optional';
import { migratedSqliteFile, type SqliteFile } from '../support/sqlite-files';
import { errorOf } from './support/error-of';
import { serveMarket, type ServedMarket } from './support/server';
import { randomAddress, randomWallet } from '../support/random-wallet';

const USD = 1_000_000n;

describeWith('anvil', 'on a real chain,', (binary) => {
  let chain: Chain;
  let facilitator: EvmFacilitator;
  let file: SqliteFile;
  let served: ServedMarket;
  const payTo = randomAddress();

  beforeAll(async () => {
    chain = await startChain(binary);
    const settler = randomWallet();
    await chain.giveGas(settler.address);
    const { privateKey } = settler;
    facilitator = evmFacilitator({ rpcUrl: chain.url, privateKey, pollIntervalMs: 15 });
    file = await migratedSqliteFile();
    const storage = sqliteStorage({ file: file.file });
    served = await serveMarket({ startAt: Date.now(), storage, facilitator, payTo });
  });
  afterAll(async () => {
    await served?.close();
    facilitator?.close();
    await file?.remove();
    await chain?.stop();
  });

  interface Payer {
    address: string;
    paid: PredictionMarketClient['paid'];
    held(): Promise<bigint>;
  }

  type Way = (privateKey: `0x${string}`) => PayWith;

  async function payer(way: Way, balance: bigint): Promise<Payer> {
    const { privateKey, address } = randomWallet();
    await chain.setTokens(address, balance);
    const payWith = way(privateKey as `0x${string}`);
    const { paid } = createClient({ baseUrl: served.url, payWith, maxPayment: 5, random: () => 0 });
    return { address, paid, held: () => chain.tokens(address) };
  }

  const WAYS: [string, Way][] = [
    ['a signer', (privateKey) => fromEthers(new Wallet(privateKey))],
    [
      'x402-fetch',
      (privateKey) => {
        const account = privateKeyToAccount(privateKey);
        const wallet = createWalletClient({ account, chain: base, transport: http() });
        return (fetch) => wrapFetchWithPayment(fetch, wallet as never, 100n * USD);
      },
    ],
    [
      '@x402/fetch',
      (privateKey) => (fetch) =>
        wrapFetchWithPaymentFromConfig(fetch, {
          schemes: [{ network: 'eip155:8453', client: new ExactEvmScheme(privateKeyToAccount(privateKey)) }],
          spendControls: { maxAmountPerPayment: '$100' },
        }),
    ],
  ];

  it.each(WAYS)('%s pays what a call costs, once, even if its answer is lost', async (_name, way) => {
    const { paid, address, held } = await payer(way, 10n * USD);
    const earned = await chain.tokens(payTo);
    const { answer, receipt } = await paid.feed();
    expect(answer.totals).toBeDefined();
    expect(receipt).toMatchObject({ success: true, payer: address });
    await chain.mined(receipt?.transaction ?? '');
    expect(await held()).toBe(10n * USD - 1_000n);
    served.faults.push(null, 'lost');
    const deposit = await paid.deposit(2.5);
    expect(deposit.answer).toMatchObject({ amount: 2.5, address, available: 2.5 });
    expect(await held()).toBe(7n * USD + 500_000n - 1_000n);
    expect(await chain.tokens(payTo)).toBe(earned + 2n * USD + 500_000n + 1_000n);
  });

  it.each(WAYS)('%s without the money is refused, and nothing is charged', async (_name, way) => {
    const { paid, held } = await payer(way, 999n);
    const error = await errorOf(paid.feed());
    expect(error).toMatchObject({ code: 'INSUFFICIENT_FUNDS', status: 402, outcome: 'refused' });
    expect(await held()).toBe(999n);
  });

  it('a payment whose answer never came is charged once when it is sent again', async () => {
    const { paid, held } = await payer((privateKey) => fromEthers(new Wallet(privateKey)), 10n * USD);
    served.faults.push(null, 'lost');
    const { payment, outcome } = await errorOf(paid.deposit(3, { retry: { attempts: 1 } }));
    expect(outcome).toBe('unknown');
    expect((await paid.deposit(3, { payment })).answer.available).toBe(3);
    expect(await held()).toBe(7n * USD);
  });
});
