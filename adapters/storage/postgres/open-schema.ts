/** Migrates the schema to the version of this code, while other instances use the database. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from '../../../src/ports/logger';
import type { Dialect } from '../../shared/sql/dialect';
import { isLockTimeout } from '../../shared/sql/driver-errors';
import { isMigrated, migrate, type MigrationOptions } from '../../shared/sql/run-migrations';
import type { PostgresPool } from '../../shared/sql/postgres-pool';
import type { Session } from '../../shared/sql/session';
import { BEGIN_MIGRATION, LOCK_MS, MIGRATING } from './settings';
import { inTransaction } from './transactions';

/** The most attempts. With the pauses between them, they take about ten minutes. */
const ATTEMPTS = 150;
/** In this pause the database serves the transactions that have queued behind an attempt. */
const PAUSE_MS = LOCK_MS;

interface Opening {
  dialect: Dialect;
  schema: string;
  migrations: MigrationOptions;
  logger: Logger;
}

/**
 * Brings the schema to the version of this code. The check comes first, so that a role without the right to create
 * can open a schema that is up to date. An attempt waits at most `LOCK_MS` for a lock, so that it does not block
 * other transactions for long.
 */
export async function openSchema(pool: PostgresPool, opening: Opening): Promise<void> {
  const { dialect, schema, migrations, logger } = opening;
  const within = <T>(work: (session: Session) => Promise<T>): Promise<T> =>
    pool.lend(MIGRATING, (session) => inTransaction(session, BEGIN_MIGRATION, work));
  for (let attempt = 1; ; attempt += 1) {
    try {
      if (await within((session) => isMigrated(dialect, session, migrations))) return;
      await within((session) => migrateLocked(session, opening));
      return;
    } catch (error) {
      if (!isLockTimeout(error) || attempt === ATTEMPTS) throw error;
      logger.warn(
        { schema, attempt, ofAttempts: ATTEMPTS },
        'storage: the migration waits for transactions at work on its tables, or for another instance that migrates',
      );
      await pause(PAUSE_MS);
    }
  }
}

async function migrateLocked(session: Session, opening: Opening): Promise<void> {
  const { dialect, schema, migrations, logger } = opening;
  // Two instances may start at once. The second instance gets this lock only after the first has migrated, and then
  // finds the schema up to date.
  await session.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [
    `express-prediction-market:${schema}`,
  ]);
  if (await isMigrated(dialect, session)) return;
  const [found] = await session.query('SELECT 1 AS found FROM pg_namespace WHERE nspname = $1', [schema]);
  if (found === undefined) await session.query(`CREATE SCHEMA "${schema}"`);
  await migrate(dialect, session, logger, migrations);
}
