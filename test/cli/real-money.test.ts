import { sqliteStorage } from '../../adapters/storage/sqlite';
import { silentLogger } from '../../src/ports/logger';
import { migratedSqliteFile, type SqliteFile } from '../support/sqlite-files';
import { run } from './support';

const REAL = 'eip155:8453 0x833589fcd6edb6e08f4c7c32d4f71b54bda02913';

let database: SqliteFile;
let environment: { DATABASE_URL: string };
afterEach(() => database.remove());

async function booksOf(money: string): Promise<void> {
  database = await migratedSqliteFile();
  environment = { DATABASE_URL: `sqlite:${database.file}` };
  const storage = sqliteStorage({ file: database.file });
  await storage.open({ logger: silentLogger });
  await storage.transaction((transaction) => transaction.settings.putIfAbsent('money', money));
  await storage.close();
}

describe.each([REAL, 'play'])('on books of the money %s', (money) => {
  beforeEach(() => booksOf(money));

  it.each([
    'migrate',
    'audit',
    'epoch',
    'epoch --new',
    'events --once --since oldest',
    `keys list 0x${'1'.repeat(40)}`,
    'creators list',
  ])('%s', async (command) => {
    expect(await run(command.split(' '), { environment })).toMatchObject({ exitCode: 0 });
  });
});
