/**
 * Tests that run one after another share a schema, because migrating a new schema takes much longer than deleting
 * rows. A test that alters tables must use `freshSchema` instead.
 */
import type pg from 'pg';
import { freshSchema } from './postgres';

export interface SchemasInTurn {
  take(): string;
  /** Empties the schema for the next test. Close all handles on the schema first. */
  giveBack(schema: string): Promise<void>;
}

/** `raw` has to stay open until the last schema is given back. */
export function schemasInTurn(raw: pg.Client): SchemasInTurn {
  const free: string[] = [];
  return {
    take: () => free.pop() ?? freshSchema(),
    async giveBack(schema) {
      await raw.query(emptied(schema));
      free.push(schema);
    },
  };
}

/** TRUNCATE would be slower, because TRUNCATE makes a new file for each table and index. */
function emptied(schema: string): string {
  return `DO $$ DECLARE one record; BEGIN
    SET LOCAL session_replication_role = replica;
    FOR one IN SELECT tablename FROM pg_tables WHERE schemaname = '${schema}' AND tablename <> 'schema_migrations'
    LOOP EXECUTE format('DELETE FROM ${schema}.%I', one.tablename); END LOOP;
    FOR one IN SELECT sequencename FROM pg_sequences WHERE schemaname = '${schema}' AND last_value IS NOT NULL
    LOOP PERFORM setval(format('${schema}.%I', one.sequencename), 1, false); END LOOP;
  END $$`;
}
