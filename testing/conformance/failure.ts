/**
 * The failure of a conformance suite. It names the sentence of the contract, and what the test has observed
 * instead.
 */
export class ContractBroken extends Error {
  override readonly name = 'ContractBroken';

  constructor(port: string, sentence: string, seen: string, cause?: unknown) {
    super(`The contract of the port ${port} is broken: “${sentence}”\n${seen}`, { cause });
  }
}

/** The suite could not check a sentence, because it lacks a hook. */
export class ContractNotChecked extends Error {
  override readonly name = 'ContractNotChecked';

  constructor(port: string, sentence: string, advice: string) {
    super(`The contract of the port ${port} was not checked: “${sentence}”\n${advice}`);
  }
}

/**
 * The value with bigints and `undefined` as text. Some runners cannot print a bigint, or cannot tell
 * `undefined` from a missing field.
 */
export function plain(value: unknown): unknown {
  if (typeof value === 'bigint') return `${value}n`;
  if (value === undefined) return '(undefined)';
  if (Array.isArray(value)) return value.map(plain);
  if (value instanceof Error) return `${value.name}: ${value.message}`;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, plain(field)]));
}

const LONGEST = 2_000;

/** The value in one line of a report. */
export function shown(value: unknown): string {
  const text = JSON.stringify(plain(value)) ?? String(value);
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}… (${text.length} characters)` : text;
}
