/** Runs the commands of docs/standalone.md and docs/deploy.md that back up a SQLite file and restore it. */
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sqliteStorage } from '../../adapters/storage/sqlite';
import { createTestMarket, type TestMarket } from '../../testing/create-test-market';
import { commandsIn, documentShell, sectionOf, type DocumentShell } from '../support/document-shell';
import { openRaw } from '../support/sqlite-raw';

const EPOCH = /^epoch ([0-9a-f]{32}), seq 0$/m;

describe('a SQLite file', () => {
  let folder: string;
  let shell: DocumentShell;
  let market: TestMarket;
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'restore-sqlite-'));
    shell = documentShell(folder);
    mkdirSync(join(folder, 'data'));
    market = await open();
    await market.fund(market.wallet('alice'), 100);
    const { id } = await market.createMarket();
    const order = { wallet: market.wallet('alice').address, market: id, side: 'YES', amount: 10 } as const;
    await market.pm.placeTrade(order);
  });
  afterEach(async () => {
    await market.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const open = (file = join(folder, 'data/markets.db')): Promise<TestMarket> =>
    createTestMarket({ storage: sqliteStorage({ file }) });
  const balanceOf = async ({ pm, wallet }: TestMarket): Promise<number> =>
    (await pm.getBalance({ wallet: wallet('alice').address })).balance;

  it('is copied while the server runs, and is restored over the file of a server that was killed', async () => {
    const there = { DATABASE_URL: 'sqlite:data/markets.db' };
    const [, backup = ''] =
      /Back up SQLite with `([^`]+)`/.exec(readFileSync('docs/standalone.md', 'utf8')) ?? [];
    expect(await shell.run(backup, there)).toEqual({
      code: 0,
      output: expect.stringMatching(/^copied to .*copy\.db, \d+ bytes\n$/),
    });
    expect(statSync(join(folder, 'copy.db')).mode & 0o777).toBe(0o600);

    const { epoch } = market.pm.eventPosition();
    await market.fund(market.wallet('alice'), 50); // This deposit is in the write-ahead log, and not in the copy.
    const killed = join(folder, 'killed');
    cpSync(join(folder, 'data'), join(killed, 'data'), { recursive: true });
    cpSync(join(folder, 'copy.db'), join(killed, 'copy.db'));
    expect(statSync(join(killed, 'data/markets.db-wal')).size).toBeGreaterThan(0);

    const restore = commandsIn(sectionOf('docs/standalone.md', 'Restore of a SQLite file'));
    const { code, output } = await documentShell(killed).run(restore, there);
    expect({ code, output }).toEqual({ code: 0, output: expect.stringMatching(/^the books add up: /m) });
    expect(EPOCH.exec(output)?.[1]).not.toBe(epoch);
    const restored = await open(join(killed, 'data/markets.db'));
    expect(await balanceOf(restored)).toBe(90);
    expect(await balanceOf(market)).toBe(140);
    await restored.close();
  });

  it('is copied every day, audited, and kept for 14 days', async () => {
    const backups = join(folder, 'backups');
    mkdirSync(backups);
    const old = join(backups, 'market-2026-01-01.db');
    writeFileSync(old, '');
    utimesSync(old, 0, 0);
    const script = commandsIn(sectionOf('docs/deploy.md', 'Timers'))
      .replaceAll('/var/backups/market', backups)
      .replaceAll('/var/lib/market', join(folder, 'data'));
    const once = await shell.run(script);
    expect(once).toEqual({ code: 0, output: expect.stringMatching(/^the books add up: /m) });
    expect(readdirSync(backups)).toEqual([expect.stringMatching(/^market-\d{4}-\d\d-\d\d\.db$/)]);
    expect(await shell.run(script)).toMatchObject({ code: 0 });
    expect(readdirSync(backups)).toHaveLength(1);
  });

  it('keeps the copy of the same day when the new copy does not add up', async () => {
    const backups = join(folder, 'backups');
    mkdirSync(backups);
    const script = commandsIn(sectionOf('docs/deploy.md', 'Timers'))
      .replaceAll('/var/backups/market', backups)
      .replaceAll('/var/lib/market', join(folder, 'data'));
    expect(await shell.run(script)).toMatchObject({ code: 0 });
    const [good = ''] = readdirSync(backups);
    const kept = readFileSync(join(backups, good));
    const raw = await openRaw(join(folder, 'data/markets.db'));
    await raw.all(`UPDATE accounts SET balance = 7 WHERE id LIKE 'wallet:%'`);
    await raw.close();
    expect(await shell.run(script)).toMatchObject({ code: 1 });
    expect(readdirSync(backups)).toEqual([good, 'new.db']);
    expect(readFileSync(join(backups, good)).equals(kept)).toBe(true);
  });
});
