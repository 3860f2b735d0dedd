import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { postgresStorage } from '../../adapters/storage/postgres';
import { sqliteStorage } from '../../adapters/storage/sqlite';
import { silentLogger } from '../../src/ports/logger';
import type { Storage } from '../../src/ports/storage';
import { resolveMarket } from '../../src/usecases/resolution/resolve-market';
import { describeWith } from '../support/optional';
import { freshSchema, openRawPostgres, startPostgres, type PostgresServer } from '../support/postgres';
import { openRaw } from '../support/sqlite-raw';
import { createWorld, HOUR, runUntilQuiet } from '../usecases/resolution/world';

const BACK = [
  'DROP INDEX markets_due',
  'ALTER TABLE markets DROP COLUMN awaits_oracle',
  'ALTER TABLE markets DROP COLUMN resolution_method',
  'CREATE INDEX markets_due ON markets (due_at, id) WHERE due_at IS NOT NULL',
  'DROP TABLE resolutions',
  'DROP TABLE resolution_rounds',
  `DELETE FROM schema_migrations WHERE name = '0014-resolutions'`,
];

async function survives(
  handle: () => Storage,
  goBack: (statements: string[]) => Promise<void>,
): Promise<void> {
  const before = handle();
  const world = await createWorld(before);
  const byOracle = await world.open('By the oracle?');
  world.clock.advance(HOUR);
  world.oracle.answer('YES', { confidence: 0.93 });
  await runUntilQuiet(world.context);
  const [byOperator, closed, open] = [await world.open('A?'), await world.open('B?'), await world.open('C?')];
  await resolveMarket(world.context, { market: String(byOperator), outcome: 'VOID', note: null });
  world.oracle.answer('UNKNOWN');
  await world.context.storage.transaction(async (transaction) => {
    const [market] = await transaction.markets.lock([closed]);
    if (market !== undefined)
      await transaction.markets.update([{ ...market, status: 'resolving', dueAt: 5 }]);
  });
  await before.close();
  await goBack(BACK);
  const after = handle();
  await after.open({ logger: silentLogger });
  const markets = await after.read((r) => r.markets.findByIds([byOracle, byOperator, closed, open]));
  const seen = Object.fromEntries(
    markets.map(({ id, resolution, awaitsOracle }) => [id, [resolution?.method ?? null, awaitsOracle]]),
  );
  expect(seen).toEqual({
    [byOracle]: ['oracle', false],
    [byOperator]: ['operator', false],
    [closed]: [null, true],
    [open]: [null, false],
  });
  const { resolutions, total } = await after.read((r) => r.resolutions.list({ limit: 10, offset: 0 }));
  expect([total, resolutions.map(({ marketId, status }) => [marketId, status])]).toEqual([
    1,
    [[closed, 'waiting']],
  ]);
  await after.close();
}

it('markets from before the rounds survive the migration in SQLite', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'prediction-market-rounds-'));
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

describeWith('postgres', 'markets from before the rounds', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server.stop());

  it('survive the migration in Postgres as in SQLite', async () => {
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
