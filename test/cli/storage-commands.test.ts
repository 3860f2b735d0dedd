import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPredictionMarket, type PredictionMarket } from '../../src/index';
import { manualOracle } from '../../adapters/oracle/manual';
import { lockForServer, sqliteStorage } from '../../adapters/storage/sqlite';
import { createTestMarket } from '../../testing/create-test-market';
import { fakeFacilitator } from '../../testing/fake-facilitator';
import { openRaw } from '../support/sqlite-raw';
import { migratedSqliteFile, type SqliteFile } from '../support/sqlite-files';
import { run } from './support';

describe('migrate', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'cli-migrate-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('migrates a new database, shows how far it is, and then finds nothing to do', async () => {
    const environment = { DATABASE_URL: `sqlite:${join(folder, 'new/markets.db')}` };
    const first = await run(['migrate', '--json'], { environment });
    expect({ ...first, progress: [] }).toEqual({
      exitCode: 0,
      told: [],
      printed: [expect.any(String)],
      progress: [],
    });
    const { migrations, ...where } = JSON.parse(first.printed[0] ?? '') as { migrations: string[] };
    expect(where).toEqual({ database: expect.stringMatching(/^SQLite, .*\.db$/), isNew: true });
    expect(migrations[0]).toBe('0001-initial');
    const total = migrations.length;
    expect(first.progress).toEqual([
      ...migrations.map((name, index) => `${index}/${total} ${name}`),
      `${total}/${total} ${migrations.at(-1)}`,
      'end',
    ]);
    expect(await run(['migrate'], { environment })).toMatchObject({
      exitCode: 0,
      printed: [expect.stringMatching(/^nothing to migrate: SQLite, .*\.db$/)],
    });
  });

  it('is the only command that migrates: others refuse and make no file', async () => {
    const file = join(folder, 'absent.db');
    for (const command of ['audit', 'epoch', 'epoch --new']) {
      const refused = await run(command.split(' '), { environment: { DATABASE_URL: `sqlite:${file}` } });
      expect(refused).toMatchObject({
        exitCode: 2,
        printed: [],
        told: [
          `error: there is no database file ${file}; serve or migrate makes one, and DATABASE_URL names another`,
        ],
      });
    }
    expect((await readdir(folder)).filter((name) => name.startsWith('absent'))).toEqual([]);
  });
});

describe('on a database,', () => {
  let database: SqliteFile;
  let environment: { DATABASE_URL: string };
  beforeEach(async () => {
    database = await migratedSqliteFile();
    environment = { DATABASE_URL: `sqlite:${database.file}` };
  });
  afterEach(() => database.remove());

  it('audit exits with 0 when the books add up and with 1 when they do not', async () => {
    const test = await createTestMarket({ storage: sqliteStorage({ file: database.file }) });
    await test.fund(test.wallet('alice'), 100);
    await test.close();
    const sound = await run(['audit'], { environment });
    expect(sound).toMatchObject({ exitCode: 0, told: [] });
    expect(sound.printed).toEqual([
      'the books add up: 2 entries, 1 wallet, 0 markets, 0 positions',
      'treasury 0 USD, solvent',
    ]);
    expect(sound.progress.at(-2)).toMatch(/^(\d+)\/\1 recomputing the books$/);

    const raw = await openRaw(database.file);
    await raw.all(`UPDATE accounts SET balance = 7 WHERE id LIKE 'wallet:%'`);
    await raw.close();
    const wrong = await run(['audit', '--json'], { environment });
    expect(wrong).toMatchObject({ exitCode: 1, told: [] });
    expect(JSON.parse(wrong.printed[0] ?? '')).toMatchObject({
      ok: false,
      differences: [{ kind: 'account' }],
    });
    const shown = await run(['audit'], { environment });
    expect(shown.printed[1]).toMatch(/^ {2}account wallet:0x\w+: stored 0.000007 USD, computed 100 USD$/);
  });

  it('epoch shows the position, and --new begins another epoch, which a reader of the old one is told', async () => {
    const before = await positionOf(['epoch', '--json']);
    expect(await positionOf(['epoch', '--json'])).toEqual(before);
    const after = await positionOf(['epoch', '--new', '--json']);
    expect(after).toEqual({ epoch: expect.stringMatching(/^[0-9a-f]{32}$/), seq: 0 });
    expect(after.epoch).not.toBe(before.epoch);
    expect((await run(['epoch'], { environment })).printed).toEqual([`epoch ${after.epoch}, seq 0`]);

    const market = openMarket();
    await market.start();
    const reading = market.events.since(before).next();
    await expect(reading).rejects.toMatchObject({ code: 'EPOCH' });
    await market.close();
  });

  it('epoch --new is refused while a server runs on the file, and changes nothing', async () => {
    const before = await positionOf(['epoch', '--json']);
    const server = await lockForServer({ file: database.file });
    expect(await run(['epoch', '--new'], { environment })).toMatchObject({
      exitCode: 2,
      printed: [],
      told: [expect.stringMatching(/^error: a server runs on this SQLite file .*: stop the server first$/)],
    });
    expect(await positionOf(['epoch', '--json'])).toEqual(before);
    await server.release();

    expect((await positionOf(['epoch', '--new', '--json'])).epoch).not.toBe(before.epoch);
    const next = await lockForServer({ file: database.file });
    expect(next.state).toBe('held');
    await next.release();
  });

  it('epoch --new warns of servers that it does not notice, and epoch does not', async () => {
    const told = async (...args: string[]): Promise<string[]> => (await run(args, { environment })).told;
    expect(await told('epoch')).toEqual([]);
    expect(await told('epoch', '--new')).toEqual([
      expect.stringMatching(/^note: no `serve` of this version runs .* keeps the old epoch/),
    ]);
    // SQLite cannot open a folder, so the command cannot tell whether a server runs.
    await rm(`${database.file}.server`);
    await mkdir(`${database.file}.server`);
    expect(await told('epoch', '--new')).toEqual([
      expect.stringMatching(/^warning: cannot tell whether a server runs .* keeps the old epoch/),
    ]);
  });

  it('each command names a variable that is probably a misspelt setting, on standard error', async () => {
    const misspelt = { ...environment, DATABSE_URL: 'sqlite:secret-folder/x.db' };
    const warning = 'warning: DATABSE_URL is not a setting: did you mean DATABASE_URL?';
    const address = '0x1111111111111111111111111111111111111111';
    for (const args of [
      ['audit', '--json'],
      ['migrate', '--json'],
      ['epoch', '--json'],
      ['sample', '--json'],
      ['backup', `${database.file}.copy`, '--json'],
      ['keys', 'list', address, '--json'],
      ['creators', 'list', '--json'],
    ]) {
      const { exitCode, printed, told } = await run(args, { environment: misspelt });
      expect([args[0], exitCode, told]).toEqual([args[0], 0, [warning]]);
      expect(() => JSON.parse(printed.join('\n')) as unknown).not.toThrow();
    }
    const events = await run(['events', '--since', 'oldest', '--once'], { environment: misspelt });
    expect(events).toMatchObject({ exitCode: 0, told: expect.arrayContaining([warning]) });
  });

  it('a command with --url uses no database, and does not warn', async () => {
    const answered = await run(['audit', '--json', '--url', 'http://market.example'], {
      environment: { DATABSE_URL: 'sqlite:x.db', ADMIN_TOKEN: 'a-token-of-operators' },
      fetch: () => Promise.resolve(Response.json({ ok: true, checked: {} })),
    });
    expect(answered).toMatchObject({ exitCode: 0, told: [] });
  });

  it('a command names the misspelt setting also if it finds no database', async () => {
    const file = `${database.file}.absent`;
    const refused = await run(['audit'], {
      environment: { DATABASE_URL: `sqlite:${file}`, DATABASE_URI: 'x' },
    });
    expect(refused).toMatchObject({
      exitCode: 2,
      printed: [],
      told: [
        'warning: DATABASE_URI is not a setting: did you mean DATABASE_URL?',
        `error: there is no database file ${file}; serve or migrate makes one, and DATABASE_URL names another`,
      ],
    });
  });

  it('a command never runs the jobs of the server: an overdue market stays open', async () => {
    const test = await createTestMarket({ storage: sqliteStorage({ file: database.file }) });
    const { id } = await test.createMarket();
    await test.close();
    const later = { now: () => test.clock.now() + 10 * 86_400_000 };
    expect(await run(['audit'], { environment, clock: later })).toMatchObject({ exitCode: 0 });
    const again = await createTestMarket({ storage: sqliteStorage({ file: database.file }) });
    expect((await again.pm.getMarket(id)).status).toBe('open');
    await again.close();
  });

  async function positionOf(args: string[]): Promise<{ epoch: string; seq: number }> {
    const { exitCode, printed } = await run(args, { environment });
    expect(exitCode).toBe(0);
    return JSON.parse(printed[0] ?? '') as { epoch: string; seq: number };
  }

  function openMarket(): PredictionMarket {
    return createPredictionMarket({
      storage: sqliteStorage({ file: database.file }),
      oracle: manualOracle(),
      facilitator: fakeFacilitator(),
      payTo: '0x000000000000000000000000000000000000dEaD',
    });
  }
});
