/** The name of a port, and where its contract is written. */
interface ContractPlace {
  /** The name of the port, such as "Storage". */
  port: string;
  /** The document and the comments that contain the contract. */
  where: string;
}

/** The sentences of a port, each with a name. */
export interface Contract<Key extends string> extends ContractPlace {
  sentences: Readonly<Record<Key, string>>;
  /** For some of the sentences, advice to the author of an adapter that breaks the sentence. */
  cures?: Readonly<Partial<Record<Key, string>>>;
}

/**
 * The failure of a conformance suite. Its first line says what the test has observed, because test runners show the
 * first line in their summaries. The next lines say what helps, if the suite knows it, and quote the sentence of the
 * contract.
 */
export class ContractBroken<Key extends string = string> extends Error {
  override readonly name = 'ContractBroken';

  constructor(
    contract: Contract<Key>,
    key: Key,
    { seen, cure = contract.cures?.[key] }: Seen,
    cause?: unknown,
  ) {
    const { port, where, sentences } = contract;
    const lines = [
      `${port}: ${seen}`,
      ...(cure === undefined || cure === null ? [] : [`What helps: ${cure}`]),
      `The contract of the port ${port} is broken: “${sentences[key]}”`,
      `Read: ${where}`,
    ];
    super(lines.join('\n'), { cause });
  }
}

export interface Seen {
  seen: string;
  /** Default: the cure of the sentence. `null`: none. */
  cure?: string | null | undefined;
}

/** What was observed, and what was expected in its place. */
export const insteadOf = (seen: string, expected: string): string => `${seen}; expected: ${expected}`;

/** The suite could not check a sentence, because it lacks a hook, or a hook or `create` does not work. */
export class ContractNotChecked extends Error {
  override readonly name = 'ContractNotChecked';

  constructor({ port }: ContractPlace, sentence: string, advice: string, cause?: unknown) {
    super(`The contract of the port ${port} was not checked: ${advice}\nThe sentence: “${sentence}”`, {
      cause,
    });
  }
}

/** The name of the first check of every suite. */
export const FIRST_CHECK = 'every member of the port is there';

/** The name of the check of every suite that looks for misspelt hooks and for hooks with a wrong value. */
export const HOOKS_CHECK = 'every hook has a name that the suite knows, and a value that fits';

/** The adapter lacks members of the port, or the names of some hooks are misspelt. */
export class ContractIncomplete extends Error {
  override readonly name = 'ContractIncomplete';

  /** The report of the first check. It lists all faults. */
  static all({ port, where }: ContractPlace, faults: readonly string[]): ContractIncomplete {
    const list = faults.map((fault) => `- ${fault}`).join('\n');
    return new ContractIncomplete(
      `The adapter does not have the whole port ${port}. Faults: ${faults.length}\n${list}\nRead: ${where}`,
    );
  }

  /** The report of the check that looks for misspelt hooks and for hooks with a wrong value. */
  static hooks({ port, where }: ContractPlace, faults: readonly string[]): ContractIncomplete {
    return new ContractIncomplete(`${port}: ${faults.join('\n')}\nRead: ${where}`);
  }

  /** The report of every other check. It names only one fault. */
  static first({ port }: ContractPlace, fault: string): ContractIncomplete {
    const end = fault.endsWith('?') ? '' : '.';
    return new ContractIncomplete(
      `${port}: ${fault}${end} The check “${FIRST_CHECK}” lists all that is missing.`,
    );
  }
}

/**
 * The value with bigints, errors and `undefined` as text. Some runners cannot print a bigint, or cannot tell
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

/** As `shown`, but writes a bigint as its digits and `undefined` as this word, without quotation marks. */
export function told(value: unknown): string {
  return typeof value === 'bigint' || value === undefined ? String(value) : shown(value);
}

/** The value in one line of a report. */
export function shown(value: unknown): string {
  const text = JSON.stringify(plain(value)) ?? String(value);
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}… (${text.length} characters)` : text;
}

/** An error in one line of a report, with its code. */
export function described(error: unknown): string {
  const code =
    typeof error === 'object' && error !== null && 'code' in error ? ` (${shown(error.code)})` : '';
  return `${shown(error)}${code}`;
}
