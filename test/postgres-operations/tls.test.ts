import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import { postgresStorage, type PostgresStorageOptions } from '../../adapters/storage/postgres';
import { silentLogger } from '../../src/ports/logger';
import type { Storage } from '../../src/ports/storage';
import { describeWith } from '../support/optional';
import { openRawPostgres, startRestartablePostgres, type RestartablePostgres } from '../support/postgres';
import { until } from '../support/until';

const UNAVAILABLE = expect.objectContaining({ code: 'SERVICE_UNAVAILABLE' });

function selfSigned(): { key: string; certificate: string } {
  const folder = mkdtempSync(join(tmpdir(), 'postgres-tls-'));
  const [key, certificate] = [join(folder, 'server.key'), join(folder, 'server.crt')];
  try {
    const request = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
    const subject = ['-days', '2', '-subj', '/CN=localhost', '-addext', 'subjectAltName=IP:127.0.0.1'];
    execFileSync('openssl', [...request, ...subject, '-keyout', key, '-out', certificate], { stdio: 'pipe' });
    return { key: readFileSync(key, 'utf8'), certificate: readFileSync(certificate, 'utf8') };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describeWith('postgres', 'TLS', () => {
  describeWith('openssl', 'to Postgres', () => {
    let server: RestartablePostgres;
    let raw: pg.Client;
    let ca: string;
    const toClose: Storage[] = [];

    beforeAll(async () => {
      server = await startRestartablePostgres();
      raw = await openRawPostgres(server.url);
    });
    afterAll(async () => {
      await raw.end();
      await server.stop();
    });
    afterEach(async () => {
      for (const storage of toClose.splice(0)) await storage.close();
    });

    async function opened(ssl: PostgresStorageOptions['ssl']): Promise<Storage> {
      const storage = postgresStorage({ url: server.url, ...(ssl === undefined ? {} : { ssl }) });
      toClose.push(storage);
      await storage.open({ logger: silentLogger });
      return storage;
    }

    async function encrypted(): Promise<boolean[]> {
      const connections = `SELECT s.ssl FROM pg_stat_ssl s JOIN pg_stat_activity a ON a.pid = s.pid
        WHERE a.application_name = 'express-prediction-market'`;
      return (await raw.query<{ ssl: boolean }>(connections)).rows.map(({ ssl }) => ssl);
    }

    async function serveTls(): Promise<void> {
      const { key, certificate } = selfSigned();
      const file = async (name: string, text: string): Promise<void> => {
        const quoted = `'${text.replaceAll('\n', "' || chr(10) || '")}'`;
        await raw.query(
          `COPY (SELECT unnest(string_to_array(${quoted}, chr(10)))) TO PROGRAM 'umask 077; cat > ${name}'`,
        );
      };
      await file('server.key', key);
      await file('server.crt', certificate);
      await raw.query('ALTER SYSTEM SET ssl = on');
      await raw.query('SELECT pg_reload_conf()');
      await until(async () => (await raw.query<{ ssl: string }>('SHOW ssl')).rows[0]?.ssl === 'on');
      ca = certificate;
    }

    it('that the server does not speak is SERVICE_UNAVAILABLE, never a connection in the clear', async () => {
      await expect(opened(true)).rejects.toEqual(UNAVAILABLE);
      expect(await encrypted()).toEqual([]);
    });

    it('is used with the given certificate authority, and refuses a server of another', async () => {
      await serveTls();
      await (await opened({ ca })).ping();
      const connections = await encrypted();
      expect(connections.length).toBeGreaterThan(0);
      expect(connections).toEqual(connections.map(() => true));
      await expect(opened({ rejectUnauthorized: true })).rejects.toEqual(UNAVAILABLE);
    });
  });
});
