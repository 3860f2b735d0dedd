import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import { PLAY_TREASURY_REFERENCE } from '../../adapters/facilitator/development';
import { manualOracle } from '../../adapters/oracle/manual';
import { sqliteStorage } from '../../adapters/storage/sqlite';
import { createPredictionMarket } from '../../src/create-prediction-market';
import { fakeFacilitator } from '../../testing/fake-facilitator';
import { testWallet } from '../../testing/test-wallets';
import { startAnsweringNode, type AnsweringNode } from '../support/answering-node';
import { migratedSqliteFile, type SqliteFile } from '../support/sqlite-files';
import { run } from './support';

const ROOT = process.cwd();
const PAY_TO = testWallet('payee').address;
const settler = testWallet('settler').privateKey;
const treasury = testWallet('treasury').privateKey;

let folder: string;
let app: string;
let base: AnsweringNode;
let mainnet: AnsweringNode;
let database: SqliteFile;

beforeAll(async () => {
  await mkdir(join(ROOT, '.tmp'), { recursive: true });
  folder = await mkdtemp(join(ROOT, '.tmp', 'init-real-money-'));
  expect(await run(['init', folder, '--facilitator', 'evm'])).toMatchObject({ exitCode: 0, told: [] });
  app = join(folder, 'main.cjs');
  await build({
    entryPoints: [join(folder, 'src/main.ts')],
    ...{ outfile: app, bundle: true, platform: 'node', format: 'cjs', packages: 'external' },
    tsconfig: join(ROOT, 'tsconfig.json'),
    logLevel: 'error',
  });
  base = await startAnsweringNode({ eth_chainId: '0x2105' });
  mainnet = await startAnsweringNode({ eth_chainId: '0x1' });
  database = await migratedSqliteFile();
});
afterAll(async () => {
  await Promise.all([base.close(), mainnet.close(), database.remove()]);
  await rm(folder, { recursive: true, force: true });
});

function refusal(settings: Record<string, string>): Promise<string> {
  const { PATH, HOME } = process.env;
  const env = {
    ...{ PATH, HOME, PORT: '0', PAY_TO, DATABASE_URL: `sqlite:${database.file}` },
    ...{ RPC_URL: base.url, SETTLER_PRIVATE_KEY: settler, TREASURY_PRIVATE_KEY: treasury, ...settings },
  };
  return new Promise((resolve, reject) => {
    const ended = (error: Error | null, _out: string, errors: string): void =>
      error === null || !('code' in error) || error.code !== 2 ? reject(new Error(errors)) : resolve(errors);
    execFile(process.execPath, [app], { cwd: folder, env, timeout: 30_000 }, ended);
  });
}

it('with a node of another chain it names RPC_URL', async () => {
  expect(await refusal({ RPC_URL: mainnet.url })).toMatch(
    /^cannot start: RPC_URL: the node of the (facilitator|payout) is on eip155:1, and the option network is eip155:8453: name a node of eip155:8453, or another network\n$/,
  );
});

it('with one key for settlements and withdrawals it names both settings, and repeats no key', async () => {
  const said = await refusal({ TREASURY_PRIVATE_KEY: settler });
  expect(said).toMatch(
    /^- .*payout must have another private key than facilitator; .*\(settings: .*SETTLER_PRIVATE_KEY.*TREASURY_PRIVATE_KEY\)$/m,
  );
  expect(said).not.toContain(settler.slice(2));
});

it('with play money in the books it names the database and the key of the treasury', async () => {
  const pm = createPredictionMarket({
    storage: sqliteStorage({ file: database.file }),
    oracle: manualOracle(),
    facilitator: fakeFacilitator(),
    payTo: PAY_TO,
  });
  await pm.start();
  await pm.depositToTreasury({ amount: 10, reference: PLAY_TREASURY_REFERENCE });
  await pm.close();
  expect(await refusal({})).toMatch(
    /^cannot start: DATABASE_URL, or TREASURY_PRIVATE_KEY: the database holds play money \(.*\), which the payout would pay out in real money: use a new database, or no payout\n$/,
  );
});
