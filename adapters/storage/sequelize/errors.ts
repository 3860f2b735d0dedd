/** What a database's refusal means to us. Sequelize wraps the driver's error as `parent`. */
import { isPredictionMarketError, serviceUnavailable } from '../../../src/domain/errors';

export type FailureKind = 'unavailable' | 'rerun' | 'unique' | 'check' | 'other';

/** Ends a transaction that has to run again whole: a serialization failure, or a key that was taken meanwhile. */
export class RerunTransaction extends Error {
  override readonly name = 'RerunTransaction';
}

interface DriverFailure {
  name: string;
  code: string;
  message: string;
}

export function failureKind(error: unknown): FailureKind {
  if (!(error instanceof Error)) return 'other';
  const driver = driverFailure(error);
  if (driver.code.startsWith('SQLITE_')) return sqliteFailure(driver);
  if (/^[0-9A-Z]{5}$/.test(driver.code)) return postgresFailure(driver.code);
  // A lost connection comes without SQLSTATE, wrapped in a DatabaseError or one of the connection errors.
  return driver.name.startsWith('Sequelize') || error.message.includes('connection manager was closed')
    ? 'unavailable'
    : 'other';
}

function driverFailure(error: Error): DriverFailure {
  const parent = 'parent' in error && error.parent instanceof Error ? error.parent : error;
  const code = 'code' in parent && typeof parent.code === 'string' ? parent.code : '';
  return { name: error.name, code, message: parent.message };
}

const SQLITE_AWAY =
  /^SQLITE_(BUSY|LOCKED|IOERR|CANTOPEN|FULL|MISUSE|PROTOCOL|NOMEM|INTERRUPT|READONLY|CORRUPT|NOTADB)/;

function sqliteFailure({ code, message }: DriverFailure): FailureKind {
  if (SQLITE_AWAY.test(code)) return 'unavailable';
  if (message.includes('UNIQUE constraint failed')) return 'unique';
  if (message.includes('CHECK constraint failed')) return 'check';
  return 'other';
}

const POSTGRES_AWAY = /^(08...|53...|57P0.|57014|58...|55P03|25P0[234]|3D000|28...|XX...)$/;

function postgresFailure(code: string): FailureKind {
  if (code === '40001' || code === '40P01') return 'rerun';
  if (code === '23505') return 'unique';
  if (code === '23514') return 'check';
  return POSTGRES_AWAY.test(code) ? 'unavailable' : 'other';
}

/** Turns what a driver threw into what the port promises; other errors pass as they are. */
export function translate(error: unknown): unknown {
  if (isPredictionMarketError(error) || error instanceof RerunTransaction) return error;
  const kind = failureKind(error);
  if (kind === 'unavailable') return serviceUnavailable('The storage is not available', error);
  if (kind === 'rerun') return new RerunTransaction('The database asks for a rerun', { cause: error });
  return error;
}
