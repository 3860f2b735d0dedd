/** The migration computes, from the ledger of an earlier version, what the house risks with each creator. */
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
import { openRaw } from '../support/sqlite-raw';
import { describeWith } from '../support/optional';
import { freshSchema, openRawPostgres, startPostgres, type PostgresServer } from '../support/postgres';
import { approve, CREATOR, createWorld, order, wallet } from '../usecases/trading/support';

const USD = 1_000_000n;
const OTHER = wallet(998);

/**
 * Two creators with an open market each. In resolved markets the house has lost money with one of them, and
 * won money with the other.
 */
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

async function survives(
  handle: () => Storage,
  goBack: (statements: string[]) => Promise<void>,
): Promise<void> {
  const before = handle();
  await fill(before);
  const counted = await risks(before);
  await before.close();
  await goBack(['DROP TABLE house_risks', `DELETE FROM schema_migrations WHERE name = '0013-house-risks'`]);
  const after = handle();
  await after.open({ logger: silentLogger });
  expect(await risks(after)).toEqual(counted);
  await after.close();
  expect(counted.map(([risk]) => [risk?.unresolved, (risk?.lost ?? 0n) > 0n])).toEqual([
    [2, true],
    [1, false],
  ]);
}

it('the upgrade of a SQLite file counts what the house has at stake with each creator', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'prediction-market-risks-'));
  const file = join(folder, 'markets.db');
  await survives(
    () => sqliteStorage({ file }),
    async (statements) => {
      const raw = await openRaw(file);
      for (const statement of statements) await raw.all(statement);
      await raw.close();
    },
  );
  await rm(folder, { recursive: true, force: true });
});

describeWith('postgres', 'the upgrade of a Postgres schema', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server.stop());

  it('counts what the house has at stake with each creator', async () => {
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
