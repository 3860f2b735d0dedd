/**
 * Reads the columns of a raw row as the types that the domain expects. Throws when a value has another type.
 */
import type { Row } from './session';

/** The columns that `Dialect.packed` has selected, which are one JSON text or columns of the row itself. */
export function unpacked(row: Row, name: string): Row {
  const packed = row[name];
  return typeof packed === 'string' ? (JSON.parse(packed) as Row) : row;
}

export function text(row: Row, name: string): string {
  const value = row[name];
  if (typeof value !== 'string') throw new TypeError(`column ${name}: expected text, got ${typeof value}`);
  return value;
}

export function optionalText(row: Row, name: string): string | null {
  return row[name] === null ? null : text(row, name);
}

/** An id, a count or an instant, all within 2^53. Postgres returns BIGINT as text. */
export function integer(row: Row, name: string): number {
  const value = Number(row[name] ?? NaN);
  if (!Number.isSafeInteger(value)) throw new TypeError(`column ${name}: expected a safe integer`);
  return value;
}

export function optionalInteger(row: Row, name: string): number | null {
  return row[name] === null ? null : integer(row, name);
}

/**
 * Micro-units, which statements select as text (`Dialect.exact`). A JavaScript number would already have lost
 * digits.
 */
export function micros(row: Row, name: string): bigint {
  return BigInt(text(row, name));
}

export function real(row: Row, name: string): number {
  const value = Number(row[name] ?? NaN);
  if (Number.isNaN(value)) throw new TypeError(`column ${name}: expected a number`);
  return value;
}

export function choice<T extends string>(row: Row, name: string, allowed: readonly T[]): T {
  const value = row[name];
  const found = allowed.find((entry) => entry === value);
  if (found === undefined) throw new TypeError(`column ${name}: unexpected value ${String(value)}`);
  return found;
}
