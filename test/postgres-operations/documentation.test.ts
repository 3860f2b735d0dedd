import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { postgresStorage } from '../../adapters/storage/postgres';
import { silentLogger } from '../../src/ports/logger';
import { sampleEvent } from '../../testing/storage-conformance/samples';
import { describeWith } from '../support/optional';
import { freshDatabase, openRawPostgres, startPostgres } from '../support/postgres';

const text = readFileSync(join(process.cwd(), 'docs/operations.md'), 'utf8');
const statements = [...text.matchAll(/`((?:SELECT|DELETE|UPDATE|ALTER)\b[^`]*prediction_market[^`]*)`/g)].map(
  ([, sql = '']) => sql,
);

describeWith('postgres', 'docs/operations.md', () => {
  it('has statements that run, and the one about events counts those without a number', async () => {
    const server = await startPostgres();
    const database = await freshDatabase(server.url);
    const storage = postgresStorage({ url: database.url });
    const raw = await openRawPostgres(database.url);
    try {
      await storage.open({ logger: silentLogger });
      await storage.transaction((transaction) =>
        transaction.events.append(Array.from({ length: 300 }, () => sampleEvent())),
      );
      expect(statements).toHaveLength(1);
      const answers = [];
      for (const sql of statements) answers.push(...(await raw.query<Record<string, unknown>>(sql)).rows);
      expect(answers).toEqual([{ coalesce: '300' }]);
    } finally {
      await raw.end();
      await storage.close();
      await database.drop();
      await server.stop();
    }
  });
});
