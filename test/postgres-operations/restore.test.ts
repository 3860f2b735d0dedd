import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { postgresStorage } from '../../adapters/storage/postgres';
import { createTestMarket, type TestMarket } from '../../testing/create-test-market';
import { commandsIn, documentShell, sectionOf } from '../support/document-shell';
import { describeWith } from '../support/optional';
import { openRawPostgres, startPostgres, type PostgresServer } from '../support/postgres';

const SECTION = sectionOf('docs/operations.md', 'Backup and restore');
const [, AFTER_RESTORE = ''] = SECTION.split('A restored copy lacks');

describeWith('postgres', 'docs/operations.md', (programs) => {
  let server: PostgresServer;
  let folder: string;
  const opened: TestMarket[] = [];
  beforeAll(async () => {
    server = await startPostgres();
    folder = mkdtempSync(join(tmpdir(), 'restore-postgres-'));
  });
  afterAll(async () => {
    for (const market of opened) await market.close();
    const raw = await openRawPostgres(server.url);
    for (const name of ['market', 'market_restored'])
      await raw.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    await raw.query('DROP ROLE IF EXISTS market');
    await raw.end();
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const urlOf = (database: string): string => {
    const url = new URL(server.url);
    return Object.assign(url, { username: 'market', password: 'secret', pathname: `/${database}` }).href;
  };
  const open = async (url: string): Promise<TestMarket> => {
    // This clock is an hour behind the clock of the commands, so the lease of this instance has ended when the
    // commands run.
    const startAt = Date.now() - 3_600_000;
    const market = await createTestMarket({ storage: postgresStorage({ url }), startAt });
    opened.push(market);
    return market;
  };
  const balanceOf = async ({ pm, wallet }: TestMarket): Promise<number> =>
    (await pm.getBalance({ wallet: wallet('alice').address })).balance;

  it('has commands that copy a database in use and restore it, and the books of the copy add up', async () => {
    const shell = documentShell(folder, programs);
    const { hostname, port } = new URL(server.url);
    const created = await shell.run(readFileSync('ops/postgres/create-market.sh', 'utf8'), {
      ...{ PGHOST: hostname, PGPORT: port, MARKET_PASSWORD: 'secret' },
    });
    expect(created).toEqual({ code: 0, output: expect.not.stringContaining('ERROR') });

    const running = await open(urlOf('market'));
    await running.fund(running.wallet('alice'), 100);
    const { id } = await running.createMarket();
    const order = { wallet: running.wallet('alice').address, market: id, side: 'YES', amount: 10 } as const;
    await running.pm.placeTrade(order);
    const urls = {
      ...{ DATABASE_URL: urlOf('market'), RESTORED_URL: urlOf('market_restored'), SUPERUSER_URL: server.url },
    };
    expect(await shell.run(commandsIn(SECTION), urls)).toEqual({ code: 0, output: 'CREATE DATABASE\n' });
    expect(statSync(join(folder, 'market.dump')).mode & 0o777).toBe(0o600);
    await running.fund(running.wallet('alice'), 50);

    const commands = [...AFTER_RESTORE.matchAll(/`(npx express-prediction-market [^`]+)`/g)].map(
      ([, line = '']) => line,
    );
    expect(commands.map((line) => line.split(' ')[2])).toEqual(['epoch', 'audit']);
    const there = { DATABASE_URL: urls.RESTORED_URL };
    const { code, output } = await shell.run(commands.join('\n'), there);
    expect({ code, output }).toEqual({ code: 0, output: expect.stringMatching(/^the books add up: /m) });
    const { epoch } = running.pm.eventPosition();
    expect(output).toMatch(/^epoch [0-9a-f]{32}, seq 0$/m);
    expect(output).not.toContain(epoch);

    const restored = await open(urls.RESTORED_URL);
    expect([await balanceOf(restored), await balanceOf(running)]).toEqual([90, 140]);
  });

  it('has a command of the runbook that finds the database', async () => {
    const [, command = ''] =
      /`(psql "\$DATABASE_URL" [^`]+)`/.exec(readFileSync('docs/runbook.md', 'utf8')) ?? [];
    const found = await documentShell(folder, programs).run(command, { DATABASE_URL: server.url });
    expect(found).toEqual({ code: 0, output: expect.stringContaining('(1 row)') });
  });
});
