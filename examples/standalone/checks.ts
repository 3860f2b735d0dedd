/**
 * Reads single variables. Each check names the variable in its message, and does not repeat a value that may be
 * a secret.
 */
import { getAddress, Wallet } from 'ethers';

export type Environment = Record<string, string | undefined>;
/** The value of a variable. `undefined` if it is unset or empty. */
export type Variables = (name: string) => string | undefined;

/** Wrong settings. `faults` has one line for each variable, which begins with the name of the variable. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(faults.join('\n'));
    this.faults = faults;
  }
}

/** Calls all readers. If settings are wrong, one error names all of them, and each variable once. */
export function together<Values extends object>(readers: {
  [Name in keyof Values]: () => Values[Name];
}): Values {
  const values = {} as Values;
  const faults = new Map<string, string>();
  for (const name of Object.keys(readers) as (keyof Values)[]) {
    try {
      values[name] = readers[name]();
    } catch (error) {
      if (!(error instanceof SettingsError)) throw error;
      for (const fault of error.faults) {
        const variable = fault.split(':', 1)[0] ?? '';
        if (!faults.has(variable)) faults.set(variable, fault);
      }
    }
  }
  if (faults.size > 0) throw new SettingsError([...faults.values()]);
  return values;
}

/** An empty variable counts as unset, because many tools write it that way. */
export const variablesOf =
  (environment: Environment): Variables =>
  (name) =>
    environment[name]?.trim() || undefined;

export function wrong(name: string, complaint: string): SettingsError {
  return new SettingsError([`${name}: ${complaint}`]);
}

export function unexpected(name: string, expected: string, value: string): SettingsError {
  return wrong(name, `expected ${expected}, got ${JSON.stringify(value)}`);
}

export function integer<Fallback>(
  name: string,
  text: string | undefined,
  fallback: Fallback,
  low: number,
  high: number,
): number | Fallback {
  if (text === undefined) return fallback;
  const number = /^\d{1,15}$/.test(text) ? Number(text) : NaN;
  if (!(number >= low && number <= high)) throw unexpected(name, `an integer from ${low} to ${high}`, text);
  return number;
}

export function httpUrl(name: string, text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  // The service appends paths to this address and puts it into messages that wallets sign. A query or a
  // fragment would break both.
  if (!isHttpUrl(text) || /[?#]/.test(text)) {
    throw unexpected(name, 'an http:// or https:// address without query or fragment', text);
  }
  return text.replace(/\/+$/, '');
}

/** Reads the address of a service, which may contain credentials. */
export function serviceUrl(name: string, text: string | undefined): URL | undefined {
  if (text === undefined) return undefined;
  if (!isHttpUrl(text)) throw wrong(name, 'expected an http:// or https:// address');
  return new URL(text);
}

function isHttpUrl(text: string): boolean {
  return /^https?:\/\/\S+$/i.test(text) && URL.canParse(text);
}

export function address(name: string, text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  try {
    if (/^0x/.test(text) && !/^0x0{40}$/.test(text)) return getAddress(text);
  } catch {
    // The value is refused below.
  }
  throw unexpected(name, 'an EVM address (0x and 40 hex digits, mixed case by EIP-55)', text);
}

export interface Key {
  /** A private key: 0x and 64 hex digits. */
  privateKey: string;
  address: string;
}

export function privateKey(name: string, text: string | undefined): Key | undefined {
  if (text === undefined) return undefined;
  try {
    if (/^(0x)?[0-9a-f]{64}$/i.test(text)) {
      const wallet = new Wallet(text);
      return { privateKey: wallet.privateKey, address: wallet.address };
    }
  } catch {
    // The value is refused below.
  }
  throw wrong(name, 'expected a private key, 32 bytes in hex');
}
