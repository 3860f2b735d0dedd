import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { postgresStorage } from '../../adapters/storage/postgres';
import { sqliteStorage } from '../../adapters/storage/sqlite';
import { silentLogger } from '../../src/ports/logger';
import type { Storage } from '../../src/ports/storage';
import { depositToTreasury } from '../../src/usecases/accounts/deposit';
import { resolveMarket } from '../../src/usecases/resolution/resolve-market';
import { createTradeQueue } from '../../src/usecases/trading/trade-queue';
import { sampleMarket, sampleTrade } from '../../testing/storage-conformance/samples';
import { openRaw } from '../support/sqlite-raw';
import { describeWith } from '../support/optional';
import { freshSchema, openRawPostgres, startPostgres, type PostgresServer } from '../support/postgres';
import { approve, CREATOR, createWorld, order, wallet } from '../usecases/trading/support';

const USD = 1_000_000n;
const OTHER = wallet(998);

async function fill(storage: Storage): Promise<void> {
  const world = await createWorld({}, undefined, storage);
  await approve(storage, OTHER);
  await depositToTreasury(world.context, { amount: 5n * USD, reference: 'capital' });
  const queue = createTradeQueue(world.context);
  for (const [creator, outcome] of [
    [CREATOR, 'YES'],
    [CREATOR, 'VOID'],
    [OTHER, 'NO'],
  ] as const) {
    const market = String((await world.openMarket({ creator })).id);
    for (const trader of [wallet(1), wallet(2)]) {
      await world.fund(trader, 100);
      await queue.place(order({ market, wallet: trader, size: { shares: 20_000_001n } }));
    }
    await resolveMarket(world.context, { market, outcome, note: null });
    await world.openMarket({ creator });
  }
}

const risks = (storage: Storage) =>
  storage.read(async (r) => [await r.markets.risksOf(CREATOR), await r.markets.risksOf(OTHER)]);
const earned = (storage: Storage, creator = CREATOR) =>
  storage.read((r) => r.markets.listByCreator({ creator, limit: 10, offset: 0 }));
/** The statements that undo migration 0021. */
const WITHOUT_FEES = [
  'DROP INDEX markets_by_creator',
  'ALTER TABLE markets DROP COLUMN creator_fees',
  `DELETE FROM schema_migrations WHERE name = '0021-creator-fees'`,
];

async function survives(
  handle: () => Storage,
  goBack: (statements: string[]) => Promise<void>,
): Promise<void> {
  const before = handle();
  await fill(before);
  const counted = await risks(before);
  const fees = [await earned(before), await earned(before, OTHER)];
  await before.close();
  await goBack([
    ...WITHOUT_FEES,
    'DROP TABLE house_risks',
    `DELETE FROM schema_migrations WHERE name = '0013-house-risks'`,
  ]);
  const after = handle();
  await after.open({ logger: silentLogger });
  expect(await risks(after)).toEqual(counted);
  expect([await earned(after), await earned(after, OTHER)]).toEqual(fees);
  expect(fees.map((of) => of.fees > 0n)).toEqual([true, true]);
  await after.close();
  expect(counted.map(([risk]) => [risk?.unresolved, (risk?.lost ?? 0n) > 0n])).toEqual([
    [2, true],
    [1, false],
  ]);
}

describe('the upgrade of a SQLite file', () => {
  let folder: string;
  let file: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'prediction-market-counts-'));
    file = join(folder, 'markets.db');
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  async function goBack(statements: string[]): Promise<void> {
    const raw = await openRaw(file);
    for (const statement of statements) await raw.all(statement);
    await raw.close();
  }

  it('counts what the house has at stake with each creator, and what each has earned', () =>
    survives(() => sqliteStorage({ file }), goBack));

  it('counts the fees of more markets than one chunk has', async () => {
    const before = sqliteStorage({ file });
    await before.open({ logger: silentLogger });
    const traded = [1, 500, 501, 502, 1_001];
    await before.transaction(async ({ markets, trades }) => {
      for (let id = 1; id <= 1_001; id += 1)
        await markets.insert(sampleMarket(id, { slug: `market-${id}`, creator: CREATOR }));
      await trades.insert(traded.map((id) => sampleTrade(id, { fee: BigInt(id) })));
    });
    await before.close();
    await goBack(WITHOUT_FEES);
    const after = sqliteStorage({ file });
    await after.open({ logger: silentLogger });
    const found = await after.read((r) => r.markets.findByIds([...traded, 2]));
    expect(found.map(({ creatorFees }) => Number(creatorFees)).sort((a, b) => a - b)).toEqual([0, ...traded]);
    expect((await earned(after)).fees).toBe(2_505n);
    await after.close();
  });
});

describeWith('postgres', 'the upgrade of a Postgres schema', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server.stop());

  it('counts what the house has at stake with each creator, and what each has earned', async () => {
    const schema = freshSchema();
    await survives(
      () => postgresStorage({ url: server.url, schema }),
      async (statements) => {
        const raw = await openRawPostgres(server.url);
        await raw.query(`SET search_path = ${schema}`);
        for (const statement of statements) await raw.query(statement);
        await raw.end();
      },
    );
  });
});
