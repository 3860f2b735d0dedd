/**
 * Runs the versioned migrations. The caller has begun the transaction in which they run, and keeps other
 * processes from migrating at the same time.
 */
import { serviceUnavailable } from '../../../src/domain/errors';
import { mustBe, optional, type Checks } from '../../../src/domain/options';
import type { Logger } from '../../../src/ports/logger';
import { text } from './row-columns';
import type { Dialect } from './dialect';
import { fillMarketTerms } from './fill-market-terms';
import { initialSchema } from './migrations/0001-initial';
import { cheaperWrites } from './migrations/0002-cheaper-writes';
import { paymentsSchema } from './migrations/0003-payments';
import { withdrawalsSchema } from './migrations/0004-withdrawals';
import { depositAnswers } from './migrations/0005-deposit-answers';
import { eventBatches } from './migrations/0006-event-batches';
import { updatesInPlace } from './migrations/0007-updates-in-place';
import { linesWithPostings } from './migrations/0008-lines-with-postings';
import { lastFacts } from './migrations/0009-last-facts';
import { paymentDecisions } from './migrations/0010-payment-decisions';
import { keyWindows } from './migrations/0011-key-windows';
import { openWithdrawals } from './migrations/0012-open-withdrawals';
import { houseRisks } from './migrations/0013-house-risks';
import { resolutionRounds } from './migrations/0014-resolutions';
import { webhooksSchema } from './migrations/0015-webhooks';
import { consumers } from './migrations/0016-consumers';
import { operatorLog } from './migrations/0017-operator-log';
import { marketTerms } from './migrations/0018-market-terms';
import { depositsByWallet } from './migrations/0019-deposits-by-wallet';
import { rowTypes } from './migrations/0020-row-types';
import { creatorFees, fillCreatorFees } from './migrations/0021-creator-fees';
import { operatorLogFilters } from './migrations/0022-operator-log-filters';
import { encodeRows, type Session } from './session';

/**
 * The migrations, in the order in which they run. A released migration is never changed. A new migration goes
 * to the end.
 */
const MIGRATIONS: readonly Migration[] = [
  { name: '0001-initial', statements: initialSchema },
  { name: '0002-cheaper-writes', only: 'postgres', statements: cheaperWrites },
  { name: '0003-payments', statements: paymentsSchema },
  { name: '0004-withdrawals', statements: withdrawalsSchema },
  { name: '0005-deposit-answers', statements: depositAnswers },
  { name: '0006-event-batches', statements: eventBatches },
  { name: '0007-updates-in-place', only: 'postgres', statements: updatesInPlace },
  { name: '0008-lines-with-postings', only: 'postgres', statements: linesWithPostings },
  { name: '0009-last-facts', statements: lastFacts },
  { name: '0010-payment-decisions', statements: paymentDecisions },
  { name: '0011-key-windows', statements: keyWindows },
  { name: '0012-open-withdrawals', statements: openWithdrawals },
  { name: '0013-house-risks', statements: houseRisks },
  { name: '0014-resolutions', statements: resolutionRounds },
  { name: '0015-webhooks', statements: webhooksSchema },
  { name: '0016-consumers', statements: consumers },
  { name: '0017-operator-log', statements: operatorLog },
  { name: '0018-market-terms', statements: marketTerms, fill: fillMarketTerms },
  { name: '0019-deposits-by-wallet', statements: depositsByWallet },
  { name: '0020-row-types', only: 'postgres', statements: rowTypes },
  { name: '0021-creator-fees', statements: creatorFees, fill: fillCreatorFees },
  { name: '0022-operator-log-filters', statements: operatorLogFilters },
];

interface Migration {
  name: string;
  only?: Dialect['name'];
  statements(dialect: Dialect): string[];
  /**
   * Fills the new tables or columns in chunks, or with values that SQL alone cannot compute. Runs after the
   * statements, in the same transaction.
   */
  fill?(dialect: Dialect, session: Session): Promise<void>;
}

/** One migration of those that `open` runs. */
export interface MigrationStep {
  name: string;
  /** How many of these migrations are finished, out of `total`. */
  finished: number;
  total: number;
}

export interface MigrationOptions {
  /**
   * Whether `open` migrates the schema. With `false`, `open` rejects if migrations are missing, and leaves
   * the tables as they are. Default `true`.
   */
  migrate?: boolean | undefined;
  /**
   * Called before each migration, and once after the last one. On Postgres the count begins anew if a migration
   * had to wait and is tried again.
   */
  onMigration?: ((step: MigrationStep) => void) | undefined;
}

export const MIGRATION_CHECKS: Checks<MigrationOptions> = {
  migrate: optional(mustBe('true or false', (value) => typeof value === 'boolean')),
  onMigration: optional(mustBe('a function', (value) => typeof value === 'function')),
};

/**
 * Whether all migrations have run. Creates nothing, so a role without the right to create can call it.
 * @throws Error when a newer version has migrated the schema, and when migrations are missing although
 * `migrate` is `false`.
 */
export async function isMigrated(
  dialect: Dialect,
  session: Session,
  { migrate: mayMigrate = true }: MigrationOptions = {},
): Promise<boolean> {
  const [row] = await session.query(dialect.tableExists('schema_migrations'));
  const executed = row === undefined ? [] : await executedMigrations(dialect, session);
  refuseNewer(executed);
  const missing = migrationsOf(dialect).filter(({ name }) => !executed.includes(name));
  if (missing.length > 0 && !mayMigrate)
    throw executed.length === 0 ? neverMigrated(NO_TABLES) : lacksMigrations(missing);
  return missing.length === 0;
}

const NO_TABLES = 'the database has no tables of this package: it was never migrated';

/**
 * The refusal of `migrate: false` for a database without tables of this package. Callers recognise this error by
 * its `code`.
 */
export function neverMigrated(message: string): Error {
  return Object.assign(new Error(message), { code: 'NEVER_MIGRATED' });
}

/**
 * The refusal of a database that no further attempt can open until a person changes something. Callers recognise
 * this error by its `code`.
 */
export function unusableDatabase(message: string, cause?: unknown): Error {
  return Object.assign(new Error(message, { cause }), { code: 'UNUSABLE_DATABASE' });
}

/** The refusal of `migrate: false` for the tables of an older version. Callers recognise it by its `code`. */
function lacksMigrations(missing: readonly Migration[]): Error {
  const names = missing.map(({ name }) => name).join(', ');
  const message = `the database lacks migrations of this version: ${names}; run \`npx express-prediction-market migrate\``;
  return Object.assign(new Error(message), { code: 'MIGRATIONS_MISSING' });
}

export async function migrate(
  dialect: Dialect,
  session: Session,
  logger: Logger,
  { onMigration = () => undefined }: MigrationOptions = {},
): Promise<void> {
  const table = dialect.table('schema_migrations');
  const [found] = await session.query(dialect.tableExists('schema_migrations'));
  if (found === undefined)
    await session.query(`CREATE TABLE ${table} (name ${dialect.ddl.text} NOT NULL PRIMARY KEY)`);
  const record = `WITH ${dialect.rows({ name: 'text' })} INSERT INTO ${table} (name) SELECT name FROM r`;
  const executed = await executedMigrations(dialect, session);
  refuseNewer(executed);
  const missing = migrationsOf(dialect).filter(({ name }) => !executed.includes(name));
  // An instance of an older version may be running. Rows that it commits during a migration could be lost, so
  // all tables are locked.
  if (dialect.lockAllTables !== null && missing.length > 0) await session.query(dialect.lockAllTables);
  const total = missing.length;
  for (const [finished, { name, statements, fill }] of missing.entries()) {
    onMigration({ name, finished, total });
    for (const statement of statements(dialect)) await session.query(statement);
    await fill?.(dialect, session);
    await session.query(record, [encodeRows([[name]])]);
  }
  for (const { name } of missing) logger.info({ migration: name }, 'storage: migrated');
  const last = missing.at(-1);
  if (last !== undefined) onMigration({ name: last.name, finished: total, total });
}

const migrationsOf = (dialect: Dialect): readonly Migration[] =>
  MIGRATIONS.filter(({ only = dialect.name }) => only === dialect.name);

async function executedMigrations(dialect: Dialect, session: Session): Promise<string[]> {
  const rows = await session.query(`SELECT name FROM ${dialect.table('schema_migrations')} ORDER BY name`);
  return rows.map((row) => text(row, 'name'));
}

function refuseNewer(executed: readonly string[]): void {
  const unknown = newerThanKnown(executed);
  if (unknown.length > 0)
    throw unusableDatabase(
      `the database has migrations of a newer version: ${unknown.join(', ')}; install the newer version of the package, or restore a backup from before`,
    );
}

/** The migrations of a newer version. An older version must not write into a schema that it does not know. */
function newerThanKnown(executed: readonly string[]): string[] {
  const known = new Set(MIGRATIONS.map(({ name }) => name));
  return executed.filter((name) => !known.has(name));
}

/** Rejects with SERVICE_UNAVAILABLE when a newer version has migrated the schema meanwhile. */
export async function checkSchema(dialect: Dialect, session: Session): Promise<void> {
  const unknown = newerThanKnown(await executedMigrations(dialect, session));
  if (unknown.length === 0) return;
  throw serviceUnavailable(`A newer version has migrated the storage: ${unknown.join(', ')}`);
}
