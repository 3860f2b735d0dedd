import { manualOracle } from '../../adapters/oracle/manual';
import { postgresStorage } from '../../adapters/storage/postgres';
import { sqliteStorage } from '../../adapters/storage/sqlite';
import { createPredictionMarket, type PredictionMarket } from '../../src/create-prediction-market';
import type { Storage } from '../../src/ports/storage';
import { fakeFacilitator } from '../../testing/fake-facilitator';
import { testClock } from '../../testing/test-clock';
import { testWallet } from '../../testing/test-wallets';
import { describeWith } from '../support/optional';
import { freshSchema, openRawPostgres, startPostgres } from '../support/postgres';
import { migratedSqliteFile } from '../support/sqlite-files';
import { openRaw } from '../support/sqlite-raw';

const ALICE = testWallet('alice').address;

function marketOn(storage: Storage): PredictionMarket {
  return createPredictionMarket({
    ...{ storage, clock: testClock(), oracle: manualOracle(), facilitator: fakeFacilitator() },
    payTo: testWallet('payee').address,
  });
}

async function expectRestored(
  [first, second]: [PredictionMarket, PredictionMarket],
  empty: () => Promise<unknown>,
): Promise<void> {
  await first.start({ jobs: false });
  await second.start({ jobs: false });
  await first.deposit({ address: ALICE, amount: 10, reference: 'wire 1' });
  await first.depositToTreasury({ amount: 5, reference: 'capital' });
  await empty();
  const figures = async (): Promise<unknown[]> =>
    (await first.audit()).differences.map(({ subject, stored, computed }) => [subject, stored, computed]);
  expect((await figures()).sort()).toEqual([
    ['deposit:capital', '0', '5000000'],
    ['deposit:wire 1', '0', '10000000'],
  ]);
  const repeated = [first, second, first, second].map((market) =>
    market.deposit({ address: ALICE, amount: 10, reference: 'wire 1' }),
  );
  expect((await Promise.all(repeated)).map(({ balance }) => balance)).toEqual([10, 10, 10, 10]);
  await expect(second.depositToTreasury({ amount: 6, reference: 'capital' })).rejects.toMatchObject({
    code: 'IDEMPOTENCY_CONFLICT',
  });
  expect(await second.depositToTreasury({ amount: 5, reference: 'capital' })).toMatchObject({ balance: 5 });
  expect(await first.audit()).toMatchObject({ ok: true, treasury: 5, external: -15 });
  await second.depositToTreasury({ amount: 5, reference: 'capital' });
  const { acts } = await first.listOperatorLog({ action: 'treasury.deposit' });
  expect(acts.map(({ details }) => details)).toEqual([
    { amount: 5, reference: 'capital', credited: 0 },
    { amount: 5, reference: 'capital' },
  ]);
}

describe('the deposits of a SQLite file that were removed', () => {
  it('are named by the audit, and come back when they are repeated', async () => {
    const { file, remove } = await migratedSqliteFile();
    const raw = await openRaw(file);
    const markets = [marketOn(sqliteStorage({ file })), marketOn(sqliteStorage({ file }))] as const;
    try {
      await expectRestored([...markets], () => raw.all('DELETE FROM deposits'));
    } finally {
      for (const market of markets) await market.close();
      await raw.close();
      await remove();
    }
  });
});

describeWith('postgres', 'the deposits of a Postgres that were removed', () => {
  it('are named by the audit, and come back when they are repeated', async () => {
    const server = await startPostgres();
    const raw = await openRawPostgres(server.url);
    const schema = freshSchema();
    const storage = (): Storage => postgresStorage({ url: server.url, schema });
    const markets = [marketOn(storage()), marketOn(storage())] as const;
    try {
      await expectRestored([...markets], () => raw.query(`DELETE FROM ${schema}.deposits`));
    } finally {
      for (const market of markets) await market.close();
      await raw.query(`DROP SCHEMA IF EXISTS ${schema} CASCADE`);
      await raw.end();
      await server.stop();
    }
  });
});
