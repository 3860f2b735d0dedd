/** What a report says about the contract besides its sentence. */
export interface ContractPlace {
  /** The name of the port, such as "Storage". */
  port: string;
  /** The document and the comments that contain the contract. */
  where: string;
}

/**
 * The failure of a conformance suite. It names the sentence of the contract, and what the test has observed
 * instead.
 */
export class ContractBroken extends Error {
  override readonly name = 'ContractBroken';

  constructor({ port, where }: ContractPlace, sentence: string, seen: string, cause?: unknown) {
    super(`The contract of the port ${port} is broken: “${sentence}”\n${seen}\nRead: ${where}`, { cause });
  }
}

/** The suite could not check a sentence, because it lacks a hook, or a hook or `create` does not work. */
export class ContractNotChecked extends Error {
  override readonly name = 'ContractNotChecked';

  constructor({ port }: ContractPlace, sentence: string, advice: string, cause?: unknown) {
    super(`The contract of the port ${port} was not checked: “${sentence}”\n${advice}`, { cause });
  }
}

/** The name of the first check of every suite. */
export const FIRST_CHECK = 'every member of the port is there';

/** The adapter lacks members of the port. */
export class ContractIncomplete extends Error {
  override readonly name = 'ContractIncomplete';

  /** The report of the first check. It lists all faults. */
  static all({ port, where }: ContractPlace, faults: readonly string[]): ContractIncomplete {
    const list = faults.map((fault) => `- ${fault}`).join('\n');
    return new ContractIncomplete(
      `The adapter does not have the whole port ${port}. Faults: ${faults.length}\n${list}\nRead: ${where}`,
    );
  }

  /** The report of every other check. It names only one fault. */
  static first({ port }: ContractPlace, fault: string): ContractIncomplete {
    return new ContractIncomplete(`${port}: ${fault}. The check “${FIRST_CHECK}” lists all that is missing.`);
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
