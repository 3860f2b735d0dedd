/** Classifies the errors of the database drivers. Sequelize wraps the driver's error as `parent`. */
import { isPredictionMarketError, serviceUnavailable } from '../../../src/domain/errors';

export type FailureKind = 'unavailable' | 'rerun' | 'unique' | 'check' | 'other';

const PREPARED_STATEMENT_LOST = /^(26000|42P05)$/;

/**
 * Whether a prepared statement was lost: the server does not know a statement that was prepared on this connection
 * (26000), or it has another statement of that name (42P05). A pooler that changes the session of the server
 * causes both errors.
 */
export function isPreparedStatementLost(error: unknown): boolean {
  return PREPARED_STATEMENT_LOST.test(described(error)?.code ?? '');
}

const STORAGE_LOST = 'StorageLost';

/** The error for a broken connection, with the driver's error as its cause. */
export function storageLost(cause: unknown): Error {
  const error = new Error('The connection to the storage is lost', { cause });
  error.name = STORAGE_LOST;
  return error;
}

/** Whether a statement has waited for a lock for as long as it may. */
export function isLockTimeout(error: unknown): boolean {
  return described(error)?.code === '55P03';
}

/** Whether a statement was refused because an earlier statement of its transaction had failed. */
export function isAbortedTransaction(error: unknown): boolean {
  return described(error)?.code === '25P02';
}

/**
 * Thrown to end a transaction that has to run again from the start: after a serialization failure or a deadlock,
 * when a key was taken meanwhile, or when the server has lost a prepared statement.
 */
export class RerunTransaction extends Error {
  override readonly name = 'RerunTransaction';
}

/** The codes of a server that stops, starts, or has become a standby, and of connections that fail. */
const SERVER_AWAY = /^(08...|57P0.|25006)$/;

/**
 * Whether the database server cannot be reached. A single refused call, such as one that waited too long for
 * a lock or for a free connection, does not mean that.
 */
export function isServerAway(error: unknown): boolean {
  const outer = described(isPredictionMarketError(error) ? error.cause : error);
  if (outer === null) return false;
  if (outer.name === STORAGE_LOST) return true;
  const driver = described(outer.parent) ?? outer;
  if (/^[0-9A-Z]{5}$/.test(driver.code)) return SERVER_AWAY.test(driver.code);
  return outer.name.startsWith('SequelizeConnection') && !outer.name.includes('AcquireTimeout');
}

interface DriverFailure {
  name: string;
  code: string;
  message: string;
  parent: unknown;
}

export function failureKind(error: unknown): FailureKind {
  const outer = described(error);
  if (outer === null) return 'other';
  if (outer.name === STORAGE_LOST) return 'unavailable';
  const driver = described(outer.parent) ?? outer;
  if (driver.code.startsWith('SQLITE_')) return sqliteFailure(driver);
  if (/^[0-9A-Z]{5}$/.test(driver.code)) return postgresFailure(driver.code);
  // Sequelize reports a lost connection without SQLSTATE, in a DatabaseError or in one of its connection
  // errors.
  const lost = outer.name.startsWith('Sequelize') || outer.message.includes('connection manager was closed');
  return lost ? 'unavailable' : 'other';
}

/**
 * The driver's error, recognised by its fields. Under some test runners the errors of a native driver belong to
 * another realm, where instanceof fails.
 */
function described(error: unknown): DriverFailure | null {
  if (typeof error !== 'object' || error === null) return null;
  const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
  return {
    name: 'name' in error ? textOf(error.name) : '',
    code: 'code' in error ? textOf(error.code) : '',
    message: 'message' in error ? textOf(error.message) : '',
    parent: 'parent' in error ? error.parent : null,
  };
}

const SQLITE_AWAY =
  /^SQLITE_(BUSY|LOCKED|IOERR|CANTOPEN|FULL|MISUSE|PROTOCOL|NOMEM|INTERRUPT|READONLY|CORRUPT|NOTADB)/;

function sqliteFailure({ code, message }: DriverFailure): FailureKind {
  if (SQLITE_AWAY.test(code) || SQLITE_MIGRATED.test(message)) return 'unavailable';
  if (message.includes('UNIQUE constraint failed')) return 'unique';
  if (message.includes('CHECK constraint failed')) return 'check';
  return 'other';
}

/**
 * Statements fail with these codes when a newer version has migrated the schema while this instance runs: a table,
 * column or schema is missing, a view is in place of a table, or an answer has another type than the prepared
 * statement had. This instance cannot use the schema any more.
 */
const POSTGRES_MIGRATED = /^(42P01|42703|3F000|55000|0A000)$/;
const SQLITE_MIGRATED = /no such (table|column|index)|has no column named|because it is a view/;

/**
 * The codes of a database that cannot be used now. A former primary answers 25006 (only reads are allowed) after a
 * failover.
 */
const POSTGRES_AWAY = /^(08...|53...|57P0.|57014|58...|55P03|25006|25P0[234]|3D000|28...|XX...)$/;

function postgresFailure(code: string): FailureKind {
  if (code === '40001' || code === '40P01' || PREPARED_STATEMENT_LOST.test(code)) return 'rerun';
  if (code === '23505') return 'unique';
  if (code === '23514') return 'check';
  return POSTGRES_AWAY.test(code) || POSTGRES_MIGRATED.test(code) ? 'unavailable' : 'other';
}

/**
 * Turns an error that means `unavailable` into SERVICE_UNAVAILABLE, and one that means `rerun` into a
 * `RerunTransaction`. Other errors stay as they are.
 */
export function translate(error: unknown): unknown {
  if (isPredictionMarketError(error) || error instanceof RerunTransaction) return error;
  const kind = failureKind(error);
  if (kind === 'unavailable') return serviceUnavailable('The storage is not available', error);
  if (kind === 'rerun') return new RerunTransaction('The database asks for a rerun', { cause: error });
  return error;
}
