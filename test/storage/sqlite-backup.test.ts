import {
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { backUpSqlite, sqliteStorage } from '../../adapters/storage/sqlite';
import { createTestMarket, type TestMarket } from '../../testing/create-test-market';
import { run } from '../cli/support';
import { openRaw } from '../support/sqlite-raw';

let folder: string;
let file: string;
let copy: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sqlite-backup-'));
  file = join(folder, 'markets.db');
  copy = join(folder, 'copy.db');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const open = (path = file): Promise<TestMarket> =>
  createTestMarket({ storage: sqliteStorage({ file: path }) });
const environment = (path = file) => ({ environment: { DATABASE_URL: `sqlite:${path}` }, folder });

async function trade(market: TestMarket, id: number): Promise<void> {
  const { address } = market.wallet('alice');
  await market.pm.placeTrade({ wallet: address, market: id, side: 'YES', amount: 1 });
}

async function funded(market: TestMarket): Promise<number> {
  await market.fund(market.wallet('alice'), 1000);
  return (await market.createMarket()).id;
}

async function contentOf(path: string): Promise<Map<string, unknown[]>> {
  const raw = await openRaw(path);
  try {
    const schema = await raw.all<{ type: string; name: string }>(
      'SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY type, name',
    );
    const content = new Map<string, unknown[]>([['schema', schema]]);
    for (const { name } of schema.filter(({ type }) => type === 'table'))
      content.set(name, await raw.all(`SELECT * FROM "${name}"`));
    return content;
  } finally {
    await raw.close();
  }
}

describe('a copy of a SQLite file', () => {
  it('has the books of one moment while trades go on, and is the owner’s alone', async () => {
    const market = await open();
    const id = await funded(market);
    await trade(market, id);
    let isOver = false;
    let made = 1;
    const trading = (async () => {
      for (; !isOver; made += 1) await trade(market, id);
    })();
    const { bytes } = await backUpSqlite({ file, to: copy });
    isOver = true;
    await trading;
    expect(statSync(copy)).toMatchObject({ size: bytes });
    expect(statSync(copy).mode & 0o777).toBe(0o600);
    expect(existsSync(`${copy}-wal`)).toBe(false);

    const restored = await open(copy);
    expect(await restored.pm.audit()).toMatchObject({ ok: true });
    await restored.close();
    const counted = (await contentOf(copy)).get('trades') ?? [];
    expect(counted.length).toBeGreaterThanOrEqual(1);
    expect(counted.length).toBeLessThanOrEqual(made);
    expect(await market.pm.audit()).toMatchObject({ ok: true });
    await market.close();
  });

  it('has the same tables, indexes and rows', async () => {
    const market = await open();
    await trade(market, await funded(market));
    await market.close();
    await backUpSqlite({ file, to: copy });
    const content = await contentOf(copy);
    expect(content).toEqual(await contentOf(file));
    expect(content.get('trades')).toHaveLength(1);
  });

  it('is printed by the command with its path and size, also as JSON', async () => {
    await (await open()).close();
    const said = await run(['backup', 'copy.db'], environment());
    const { size } = statSync(copy);
    expect(said).toMatchObject({ exitCode: 0, told: [], printed: [`copied to ${copy}, ${size} bytes`] });
    const { printed } = await run(['backup', '--json', 'again.db'], environment());
    expect(JSON.parse(printed[0] ?? '')).toEqual({
      file: join(folder, 'again.db'),
      bytes: expect.any(Number),
    });
  });
});

describe('no copy is made', () => {
  const refusal = async (path: string, from = file) => {
    const { exitCode, printed, told } = await run(['backup', path], environment(from));
    expect({ exitCode, printed }).toEqual({ exitCode: 2, printed: [] });
    return told;
  };

  it('over a file or a link that exists, and both stay as they are', async () => {
    await (await open()).close();
    writeFileSync(copy, 'a copy of yesterday');
    expect(await refusal(copy)).toEqual([`error: ${copy} exists; name another file`]);
    expect(readFileSync(copy, 'utf8')).toBe('a copy of yesterday');
    const link = join(folder, 'link.db');
    symlinkSync(join(folder, 'nowhere.db'), link);
    expect(await refusal(link)).toEqual([`error: ${link} exists; name another file`]);
    expect(await refusal(file)).toEqual([`error: ${file} exists; name another file`]);
  });

  it('in a folder that does not exist, or of a file that does not', async () => {
    expect(await refusal(copy)).toEqual([
      `error: there is no database file ${file}; serve or migrate makes one, and DATABASE_URL names another`,
    ]);
    await (await open()).close();
    const there = join(folder, 'backups', 'copy.db');
    expect(await refusal(there)).toEqual([`error: the folder ${join(folder, 'backups')} does not exist`]);
    expect(existsSync(copy)).toBe(false);
  });

  it('of a file that is no database, or is damaged', async () => {
    writeFileSync(file, 'no database'.repeat(1000));
    expect((await refusal(copy))[0]).toContain('the file is no SQLite database');
    expect(existsSync(copy)).toBe(false);
    rmSync(file);
    await (await open()).close();
    truncateSync(file, statSync(file).size - 16_384);
    expect((await refusal(copy))[0]).toMatch(/SQLITE_CORRUPT|malformed/);
    expect(existsSync(copy)).toBe(false);
  });

  it('of Postgres or of memory: the command says what to call, without the address', async () => {
    const of = (DATABASE_URL: string) => run(['backup', copy], { environment: { DATABASE_URL }, folder });
    const postgres = await of('postgres://market:hidden-password@localhost/market');
    expect(postgres).toMatchObject({ exitCode: 2, printed: [] });
    expect(postgres.told[0]).toContain('pg_dump --format=custom --schema=prediction_market');
    expect(postgres.told[0]).not.toContain('hidden-password');
    expect(await of('memory:')).toMatchObject({ exitCode: 2 });
    expect(existsSync(copy)).toBe(false);
  });

  it('by options that do not fit', async () => {
    const wrong = backUpSqlite as (options: unknown) => Promise<unknown>;
    await expect(wrong({ file })).rejects.toThrow('backUpSqlite: to is required');
    await expect(wrong({ file: ':memory:', to: copy })).rejects.toThrow(
      'backUpSqlite: file must be the path of a file',
    );
    await expect(wrong({ file, too: copy })).rejects.toThrow('did you mean to?');
  });
});
