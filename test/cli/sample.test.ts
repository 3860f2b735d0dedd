import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fillBooks, type Filled } from '../../examples/standalone/sample/fill';
import { SAMPLE_MARKETS } from '../../examples/standalone/sample/markets';
import { fundPlayTreasury } from '../../examples/standalone/play-money';
import type { MarketView } from '../../src/index';
import { sqliteStorage } from '../../adapters/storage/sqlite';
import { createTestMarket, type TestMarket } from '../../testing/create-test-market';
import { testClock } from '../../testing/test-clock';
import { run } from './support';

const PRESENT = Date.parse('2030-06-15T12:34:56.000Z');
const DAY_MS = 86_400_000;

interface Made {
  filled: Filled;
  markets: MarketView[];
}

const marketsOf = async ({ pm }: TestMarket): Promise<MarketView[]> =>
  (await pm.listMarkets({ limit: 100, sort: 'created_desc' })).markets;

async function inMemory(seed: number): Promise<Made> {
  const clock = testClock(PRESENT);
  const test = await createTestMarket({ clock });
  const filled = await fillBooks({ market: test.pm, clock, seed, onHour: () => undefined });
  const markets = await marketsOf(test);
  await test.close();
  return { filled, markets };
}

let folder: string;
let environment: { DATABASE_URL: string };
let made: Made;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cli-sample-'));
  environment = { DATABASE_URL: `sqlite:${join(folder, 'markets.db')}` };
  const clock = testClock(PRESENT);
  const done = await run(['sample', '--seed', '7', '--json'], { environment, clock });
  expect({ ...done, printed: done.printed.length, progress: done.progress.slice(-1) }).toEqual({
    exitCode: 0,
    printed: 1,
    told: [],
    progress: ['end'],
  });
  const test = await createTestMarket({
    storage: sqliteStorage({ file: join(folder, 'markets.db') }),
    clock,
  });
  made = { filled: JSON.parse(done.printed[0] ?? '') as Filled, markets: await marketsOf(test) };
  await test.close();
});
afterAll(() => rm(folder, { recursive: true, force: true }));

it('sample names the database that it has filled', async () => {
  const file = join(folder, 'named.db');
  const { printed } = await run(['sample'], { environment: { DATABASE_URL: `sqlite:${file}` } });
  expect(printed).toEqual([
    expect.stringMatching(/^12 markets \(3 resolved\), \d+ trades by 24 wallets in SQLite, .*named\.db$/),
  ]);
});

it('sample makes a new database with a dozen markets and weeks of trades, and the audit is clean', async () => {
  const { filled, markets } = made;
  expect(markets).toHaveLength(SAMPLE_MARKETS.length);
  expect(filled).toMatchObject({ markets: 12, resolved: 3, to: new Date(PRESENT).toISOString() });
  expect(filled.trades).toBeGreaterThan(1_000);
  expect(PRESENT - Date.parse(filled.from)).toBeGreaterThan(27 * DAY_MS);
  expect(await run(['audit'], { environment })).toMatchObject({ exitCode: 0 });
});

it('sample fills a database on which a server has started, and to which newcomers and operators have brought play money', async () => {
  const file = join(folder, 'started.db');
  const clock = testClock(PRESENT);
  const test = await createTestMarket({ storage: sqliteStorage({ file }), clock });
  await fundPlayTreasury(test.pm);
  await test.fund(test.wallet('newcomer'), 500);
  await test.pm.depositToTreasury({ amount: 500, reference: 'more play money' });
  await test.close();
  const done = await run(['sample'], { environment: { DATABASE_URL: `sqlite:${file}` }, clock });
  expect(done).toMatchObject({ exitCode: 0, told: [] });
});

it('sample has markets that are resolved, that end within minutes, and that run for weeks', () => {
  const { markets } = made;
  const minutesLeft = ({ resolveDate }: MarketView): number => (Date.parse(resolveDate) - PRESENT) / 60_000;
  const open = markets.filter(({ status }) => status === 'open');
  expect(markets.filter(({ status }) => status === 'resolved')).toHaveLength(3);
  expect(open.filter((market) => minutesLeft(market) <= 60)).toHaveLength(3);
  expect(open.filter((market) => minutesLeft(market) >= 7 * 24 * 60).length).toBeGreaterThan(2);
  for (const { volume, yesPrice } of open) {
    expect(volume).toBeGreaterThan(20);
    expect(yesPrice).toBeGreaterThan(0.01);
    expect(yesPrice).toBeLessThan(0.99);
  }
});

it('sample makes the same of the same seed on any storage, and something else of another seed', async () => {
  const again = await inMemory(7);
  expect(again.filled).toEqual(made.filled);
  expect(again.markets).toEqual(made.markets);
  const other = await inMemory(8);
  expect(other.filled.trades).not.toBe(made.filled.trades);
});

it('sample refuses a database that has markets, and leaves it as it is', async () => {
  const before = (await run(['epoch', '--json'], { environment })).printed;
  const refused = await run(['sample'], { environment });
  expect(refused).toMatchObject({
    exitCode: 2,
    told: [
      expect.stringMatching(
        /^error: sample markets go only into a database without markets, .* this one has 12 markets, 3 creators$/,
      ),
    ],
  });
  expect((await run(['epoch', '--json'], { environment })).printed).toEqual(before);
});

const PAYEE = '0x1111111111111111111111111111111111111111';

it.each([
  ['FACILITATOR_URL', { FACILITATOR_URL: 'https://facilitator.example', PAY_TO: PAYEE }],
  ['RPC_URL', { RPC_URL: 'https://node.example', SETTLER_PRIVATE_KEY: `0x${'1'.repeat(64)}`, PAY_TO: PAYEE }],
])('sample refuses real money by name: %s', async (name, real) => {
  const refused = await run(['sample'], { environment: { DATABASE_URL: 'sqlite:never.db', ...real } });
  expect(refused).toMatchObject({
    exitCode: 2,
    printed: [],
    told: [`error: sample is for play money only, and ${name} makes payments real`],
  });
});

it.each<[string, RegExp, (test: TestMarket) => Promise<unknown>]>([
  ['a creator', /this one has 1 creators$/, ({ pm }) => pm.approveCreator({ address: PAYEE })],
  [
    'a webhook',
    /this one has 1 webhooks$/,
    ({ pm }) => pm.createWebhook({ url: 'https://hooks.example/1', events: ['trade'] }),
  ],
])(
  'sample refuses a database without markets that holds %s: it may be that of a real market',
  async (what, found, put) => {
    const file = join(folder, `${what}.db`);
    const test = await createTestMarket({ storage: sqliteStorage({ file }) });
    await put(test);
    await test.close();
    const refused = await run(['sample'], { environment: { DATABASE_URL: `sqlite:${file}` } });
    expect(refused).toMatchObject({ exitCode: 2, told: [expect.stringMatching(found)] });
  },
);
