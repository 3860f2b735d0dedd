/** Turns an error into what the operator sees: one line, or one line for each wrong setting. */
import { SettingsError } from './checks';

export function linesOf(error: unknown): readonly string[] {
  return error instanceof SettingsError ? error.faults : [oneLine(error)];
}

export function oneLine(error: unknown): string {
  const { code, message, cause } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE') return `PORT: ${message.replace(/^listen EADDRINUSE: /, '')}`;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') return `HOST: ${message}`;
  // The storage hides its driver's message from callers. The operator who starts the server needs it.
  if (code === 'SERVICE_UNAVAILABLE') return `DATABASE_URL: ${firstLine(cause ?? error)}`;
  if (message.startsWith('sqliteStorage: ')) return `DATABASE_URL: ${firstLine(error)}`;
  return firstLine(error);
}

/**
 * Whether another start would fail in the same way until a person changes a setting or the database. A database that
 * does not answer may come back by itself, so it does not count.
 */
export function isPermanent(error: unknown, followed = 0): boolean {
  if (error instanceof SettingsError) return true;
  if (typeof error !== 'object' || error === null) return false;
  const { code = '', message, cause, syscall } = error as NodeJS.ErrnoException;
  // A socket that is missing may belong to a database that starts later.
  if (FILE_CODES.test(code) && syscall !== 'connect') return true;
  if (code === 'UNUSABLE_DATABASE' || /^SQLITE_(CORRUPT|NOTADB)/.test(message)) return true;
  return followed < LONGEST_CHAIN && isPermanent(cause, followed + 1);
}

/** How many causes are followed, because the causes of a driver's error may form a circle. */
export const LONGEST_CHAIN = 16;

/** The codes of files and folders that are missing, in the way, or not allowed to the user of this process. */
const FILE_CODES = /^(ENOENT|EACCES|EPERM|EROFS|EEXIST|EISDIR|ENOTDIR|ENAMETOOLONG|ELOOP)$/;

export function firstLine(error: unknown): string {
  const { message } = error as Partial<Error>;
  return (message ?? String(error)).split('\n', 1)[0] ?? 'unknown error';
}
