/** Which errors stay until a person changes something. The command then ends with 2 (docs/command-line.md "Causes"). */
import { isEventPositionError, isPredictionMarketError } from 'express-prediction-market';
import { isPermanent } from '../examples/standalone/one-line';

/** A person must change something, such as the call, the environment or a package. The message is one line. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

export function needsAPerson(error: unknown): boolean {
  if (error instanceof UsageError || isPermanent(error) || isEventPositionError(error)) return true;
  if (isPredictionMarketError(error) && isRefusal(error.status)) return true;
  if (typeof error !== 'object' || error === null) return false;
  const { code, cause, parent } = error as { code?: unknown; cause?: unknown; parent?: unknown };
  return CODES.test(String(code)) || needsAPerson(cause) || needsAPerson(parent);
}

/**
 * A database without tables, or with those of an older version; an instance that runs (`epoch --new`); and the SQL states
 * with which Postgres refuses the user or the database.
 */
const CODES = /^(NEVER_MIGRATED|MIGRATIONS_MISSING|INSTANCE_RUNS|28...|3D000)$/;

/** Whether the HTTP status says that the same request would fail again: all of 4xx except time-outs and limits. */
export const isRefusal = (status: number): boolean =>
  status >= 400 && status < 500 && ![408, 425, 429].includes(status);
