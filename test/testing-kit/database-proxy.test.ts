/**
 * docs/storage-adapters.md shows a proxy for the hooks `cutOff` and `loseCommit`. This test puts it before
 * PostgreSQL.
 */
import { postgresStorage } from '../../adapters/storage/postgres';
import { silentLogger } from '../../src/ports/logger';
import { storageConformance } from '../../testing';
import { recordingRunner } from '../storage/broken/recording-runner';
import { describeWith } from '../support/optional';
import { startPostgres, type PostgresServer } from '../support/postgres';
import { databaseProxy } from './examples/database-proxy';

describeWith('postgres', 'the proxy of docs/storage-adapters.md', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server.stop());

  it('lets the suite cut the storage off and lose a commit', async () => {
    const { runner, run } = recordingRunner(expect);
    let schemas = 0;
    storageConformance(runner, {
      async create() {
        const url = new URL(server.url);
        const isCommit = (sent: Buffer): boolean => sent.includes('COMMIT');
        const proxy = await databaseProxy(url.hostname, Number(url.port), isCommit);
        url.port = String(proxy.port);
        url.hostname = '127.0.0.1';
        schemas += 1;
        const storage = postgresStorage({ url: url.href, schema: `proxied_${schemas}`, pool: { max: 5 } });
        await storage.open({ logger: silentLogger });
        const { cutOff, loseCommit } = proxy;
        const destroy = async (): Promise<void> => {
          await storage.close();
          await cutOff();
        };
        return { storage, cutOff, loseCommit, another: false, inspect: false, destroy };
      },
    });
    const { passed, reports } = await run('a storage that is away');
    expect(reports).toEqual(new Map());
    expect(passed).toHaveLength(3);
  });
});
