/** Which errors stay until a person changes something. The command then ends with 2 (docs/command-line.md "Causes"). */
import { isEventPositionError, isPredictionMarketError } from 'express-prediction-market';
import { isPermanent, LONGEST_CHAIN } from '../examples/standalone/one-line';

/** A person must change something, such as the call, the environment or a package. The message is one line. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Looks at the error, and at each error that it names as its cause (`cause`, and in Sequelize's errors `parent`). */
export function needsAPerson(error: unknown): boolean {
  let level = [error];
  for (let depth = 0; depth < LONGEST_CHAIN && level.length > 0; depth += 1) {
    if (level.some(staysAsItIs)) return true;
    level = [...new Set(level.flatMap(causesOf))];
  }
  return false;
}

function staysAsItIs(error: unknown): boolean {
  if (error instanceof UsageError || isPermanent(error) || isEventPositionError(error)) return true;
  if (isPredictionMarketError(error) && isRefusal(error.status)) return true;
  return isObject(error) && CODES.test(String((error as { code?: unknown }).code));
}

function causesOf(error: unknown): unknown[] {
  if (!isObject(error)) return [];
  const { cause, parent } = error as { cause?: unknown; parent?: unknown };
  return [cause, parent].filter(isObject);
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/**
 * Codes of errors that need a person: the database has no tables or those of an older version, an instance runs
 * (`epoch --new`), or Postgres refuses the user or the database.
 */
const CODES = /^(NEVER_MIGRATED|MIGRATIONS_MISSING|INSTANCE_RUNS|28...|3D000)$/;

/** Whether the HTTP status says that the same request would fail again: all of 4xx except 408, 425 and 429. */
export const isRefusal = (status: number): boolean =>
  status >= 400 && status < 500 && ![408, 425, 429].includes(status);
