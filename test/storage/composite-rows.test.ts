import { afterAll, beforeAll, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Client } from 'pg';
import { encodeCompositeRows } from '../../adapters/shared/sql/composite-rows';
import { postgresDialect } from '../../adapters/shared/sql/postgres-dialect';
import { encodeRows, type Cell } from '../../adapters/shared/sql/session';
import { openRawPostgres, startPostgres, type PostgresServer } from '../support/postgres';

const dialect = postgresDialect('rows');
const COLUMNS = { reference: 'text', kind: 'text', created_at: 'integer', note: 'text' } as const;

let server: PostgresServer;
let raw: Client;
beforeAll(async () => {
  server = await startPostgres();
  raw = await openRawPostgres(server.url);
  await raw.query('CREATE SCHEMA rows');
  await raw.query(
    'CREATE TYPE rows.posting_row AS (reference TEXT, kind TEXT, created_at BIGINT, note TEXT)',
  );
});
afterAll(async () => {
  await raw.end();
  await server.stop();
});

const unpacked = async (expression: string, value: string): Promise<unknown[]> =>
  (await raw.query(`WITH ${expression} SELECT * FROM r ORDER BY line`, [value])).rows;

it('composite rows are the rows that Postgres reads from JSON', async () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary' }).map((words) => words.replaceAll('\0', '')),
    fc.constantFrom('', ' ', '"', '\\', ',', '(', ')', '{}', 'NULL', 'null', '\\"', 'wallet:0x1', '\n'),
    fc.stringMatching(/^["\\,{}() ]*$/),
  );
  const words = fc.option(text, { nil: null });
  const number = fc.option(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), { nil: null });
  const row = fc.tuple(words, words, number, words) satisfies fc.Arbitrary<Cell[]>;
  await fc.assert(
    fc.asyncProperty(fc.array(row, { maxLength: 5 }), async (rows) => {
      expect(await unpacked(dialect.typedRows('posting_row', COLUMNS), encodeCompositeRows(rows))).toEqual(
        await unpacked(dialect.rows(COLUMNS), encodeRows(rows)),
      );
    }),
    { numRuns: 200 },
  );
});

it.each(['a\0b', '\ud800', 'x \udfff'])(
  'the text %j is refused, because no database can store it',
  (text) => {
    expect(() => encodeCompositeRows([[text]])).toThrow('no database can store');
  },
);
