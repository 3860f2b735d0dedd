/** Reads the environment, into which `npm start` loads the file .env. One error names all that is wrong. */
import { misspelt } from './misspelt.ts';

let faults: string[] = [];
let namesRead: string[] = [];
const known = new Set<string>();

/** The settings that are wrong. The message contains no values, because some of them are secrets. */
export class WrongSettings extends Error {
  readonly faults: readonly string[];

  constructor(list: readonly string[]) {
    super(
      `settings are missing or wrong; .env.example describes them:\n${list.map((each) => `- ${each}`).join('\n')}`,
    );
    this.faults = list;
  }
}

/** Makes all parts. If settings are wrong, one error names all of them. */
export function together<Parts extends object>(makers: { [Name in keyof Parts]: () => Parts[Name] }): Parts {
  const made = {} as Parts;
  for (const name of Object.keys(makers) as (keyof Parts)[]) {
    const known = faults.length;
    namesRead = [];
    try {
      made[name] = makers[name]();
    } catch (error) {
      if (error instanceof WrongSettings) faults.push(...error.faults);
      // A part that got a wrong setting fails too. That failure is not reported, because it has no other
      // cause.
      else if (faults.length === known) faults.push(`${reasonOf(error)} (settings: ${namesRead.join(', ')})`);
    }
  }
  const all = faults;
  faults = [];
  if (all.length > 0) throw new WrongSettings(all);
  return made;
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Notes that a setting is wrong. */
export function wrong(name: string, expected: string): void {
  const value = optional(name);
  faults.push(
    `${name} ${expected}; it ${value === undefined ? 'is not set' : `has ${value.length} characters`}`,
  );
}

export function optional(name: string): string | undefined {
  namesRead.push(name);
  known.add(name);
  return process.env[name]?.trim() || undefined;
}

/** One line for each variable that is probably a misspelt setting. Call this after all settings were read. */
export function hintsAtNames(): string[] {
  return misspelt(Object.keys(process.env), [...known]).map(
    ({ given, meant }) => `${given} is not a setting: did you mean ${meant}?`,
  );
}

export interface Shape {
  pattern: RegExp;
  expected: string;
}

export const ADDRESS: Shape = {
  pattern: /^0x[0-9a-f]{40}$/i,
  expected: 'must be the address of a wallet: 0x and 40 hexadecimal digits',
};
export const PRIVATE_KEY: Shape = {
  pattern: /^(0x)?[0-9a-f]{64}$/i,
  expected: 'must be a private key: 0x and 64 hexadecimal digits',
};
export const HTTP_URL: Shape = {
  pattern: /^https?:\/\/[^\s/]/i,
  expected: 'must be an address that begins with https:// or http://',
};
export const HTTPS_URL: Shape = {
  pattern: /^https:\/\/[^\s/]/i,
  expected: 'must be an address that begins with https://',
};
const ANYTHING: Shape = { pattern: /./, expected: 'is needed' };

/** The value; `undefined` if it is not set. */
export function optionalAs(name: string, { pattern, expected }: Shape): string | undefined {
  const value = optional(name);
  if (value !== undefined && !pattern.test(value)) wrong(name, expected);
  return value;
}

/** The value; an empty text if it is not set. `together` reports a value that is wrong. */
export function required(name: string, { pattern, expected }: Shape = ANYTHING): string {
  const value = optional(name) ?? '';
  if (!pattern.test(value)) wrong(name, expected);
  return value;
}

/** A list, separated by commas. */
export function requiredList(name: string): string[] {
  return required(name)
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

/** A number from 0 to 65535; 0 lets the system choose a port. */
export function port(name: string, otherwise: number): number {
  const text = optional(name) ?? String(otherwise);
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text);
  wrong(name, 'must be a port from 0 to 65535, such as 3000');
  return otherwise;
}

/** Why the address of a setting does not answer a request; `null` if it answers with success. */
export async function faultOf(name: string, url: string, request: RequestInit = {}): Promise<string | null> {
  try {
    const address = new URL(url);
    const { username, password } = address;
    const headers = new Headers(request.headers);
    // `fetch` refuses an address with user and password.
    address.username = address.password = '';
    if (username !== '' || password !== '')
      headers.set(
        'Authorization',
        `Basic ${Buffer.from(`${decoded(username)}:${decoded(password)}`).toString('base64')}`,
      );
    const signal = AbortSignal.timeout(5_000);
    const { ok, status } = await fetch(address, { ...request, headers, signal });
    return ok ? null : `${name} answers with the status ${status}`;
  } catch {
    return `${name} does not answer`;
  }
}

/** The text without percent-encoding; if it is not well encoded, the text itself. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** A secret that is too long to be guessed. */
export function secret(name: string): string | undefined {
  const value = optional(name);
  if (value !== undefined && value.length < 16)
    wrong(name, 'must have at least 16 characters; "openssl rand -base64 24" makes one');
  return value;
}
