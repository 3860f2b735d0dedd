/**
 * Schemas for one test after another. What a test leaves is deleted and the schema, as migrated, serves the next test:
 * to migrate a new one takes many times as long. A test that alters tables takes a `freshSchema` and drops it.
 */
import type pg from 'pg';
import { freshSchema } from './postgres';

export interface SchemasInTurn {
  /** New, or empty and migrated. */
  take(): string;
  /** All handles on it are closed. */
  giveBack(schema: string): Promise<void>;
}

/** `raw` is open for as long as schemas are given back. */
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

/** A fresh schema has no rows but the names of its migrations. Truncating would give each table and index a new file. */
function emptied(schema: string): string {
  return `DO $$ DECLARE one record; BEGIN
    SET LOCAL session_replication_role = replica;
    FOR one IN SELECT tablename FROM pg_tables WHERE schemaname = '${schema}' AND tablename <> 'schema_migrations'
    LOOP EXECUTE format('DELETE FROM ${schema}.%I', one.tablename); END LOOP;
    FOR one IN SELECT sequencename FROM pg_sequences WHERE schemaname = '${schema}' AND last_value IS NOT NULL
    LOOP PERFORM setval(format('${schema}.%I', one.sequencename), 1, false); END LOOP;
  END $$`;
}
