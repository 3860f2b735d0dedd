/**
 * Checks of the options that users pass to factories. A wrong option is refused with a sentence that names the
 * factory and the option.
 */

import { decimalPlaces } from './money';

/** Throws when the value does not fit the option. */
export type Check = (value: unknown, option: OptionName) => void;

export interface OptionName {
  factory: string;
  /** The name of the option, such as `url`, or `pool.max` for an option within an option. */
  path: string;
}

/**
 * Leaves out the options that are `undefined`. If they were spread over the defaults, they would overwrite a
 * default with `undefined`, and every comparison with an undefined limit is false.
 */
export function withoutUndefined<Options extends object>(
  options: Options,
): { [Name in keyof Options]?: Exclude<Options[Name], undefined> } {
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as { [Name in keyof Options]?: Exclude<Options[Name], undefined> };
}

/** One check for each option. The type makes sure that no option is missing. */
export type Checks<Options> = { readonly [Name in keyof Options]-?: Check };

/** The options of a factory without options: every option that is passed is refused. */
export type NoOptions = Record<string, never>;

/**
 * Refuses arguments that are not objects, unknown names, and values that do not fit. A factory that is called
 * without an argument has no options.
 */
export function checkOptions<Options extends object>(
  factory: string,
  given: unknown,
  checks: Checks<Options>,
): void {
  const options = given === undefined ? {} : given;
  if (!isRecord(options))
    throw new TypeError(`${factory}: the options must be an object, got ${kindOf(given)}`);
  checkRecord(options, checks, (name) => ({ factory, path: name }));
}

export function nested<Options extends object>(checks: Checks<Options>): Check {
  const anObject = mustBe('an object', isRecord);
  return (value, { factory, path }) => {
    anObject(value, { factory, path });
    if (isRecord(value)) checkRecord(value, checks, (name) => ({ factory, path: `${path}.${name}` }));
  };
}

type Values = Readonly<Record<string, unknown>>;

function checkRecord<Options extends object>(
  values: Values,
  checks: Checks<Options>,
  nameOf: (name: string) => OptionName,
): void {
  const table = new Map(Object.entries<Check>(checks));
  const unknown = Object.keys(values).find((name) => !table.has(name));
  if (unknown !== undefined) throw new TypeError(unknownOption(unknown, [...table.keys()], nameOf));
  for (const [name, check] of table) {
    try {
      check(values[name], nameOf(name));
    } catch (error) {
      throw values[name] === undefined ? withAllMissing(error, values, table, nameOf) : error;
    }
  }
}

function withAllMissing(
  error: unknown,
  values: Values,
  table: ReadonlyMap<string, Check>,
  nameOf: (name: string) => OptionName,
): unknown {
  const missing = [...table.keys()].filter(
    (name) => values[name] === undefined && isRequired(table.get(name)),
  );
  const others = missing.slice(1).map((name) => nameOf(name).path);
  if (others.length === 0 || !(error instanceof TypeError)) return error;
  return new TypeError(`${error.message}. Also missing: ${others.join(', ')}`);
}

function isRequired(check: Check | undefined): boolean {
  try {
    check?.(undefined, { factory: '', path: '' });
    return false;
  } catch {
    return true;
  }
}

function unknownOption(name: string, known: readonly string[], nameOf: (name: string) => OptionName): string {
  const { factory, path } = nameOf(name);
  const near = nearestName(name, known);
  const hint =
    near === null ? `the options are: ${known.join(', ') || 'none'}` : `did you mean ${nameOf(near).path}?`;
  return `${factory}: unknown option ${path}; ${hint}`;
}

export function isRecord(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * `what` completes the sentence "must be …". With `secret`, the message leaves the value out. With `isRange`,
 * a number that does not fit causes a RangeError.
 */
export function mustBe(
  what: string,
  fits: (value: unknown) => boolean,
  { secret = false, isRange = false }: { secret?: boolean; isRange?: boolean } = {},
): Check {
  return (value, { factory, path }) => {
    if (value === undefined) throw new TypeError(`${factory}: ${path} is required: it must be ${what}`);
    if (fits(value)) return;
    const sentence = `${factory}: ${path} must be ${what}${secret ? '' : `, got ${shown(value)}`}`;
    throw isRange && typeof value === 'number' ? new RangeError(sentence) : new TypeError(sentence);
  };
}

export function optional(check: Check): Check {
  return (value, option) => {
    if (value !== undefined) check(value, option);
  };
}

export function usdBetween(low: number, high: number): Check {
  return mustBe(
    `a number from ${low} to ${high} with at most 6 decimals`,
    (value) => typeof value === 'number' && value >= low && value <= high && decimalPlaces(value) <= 6,
    { isRange: true },
  );
}

export function numberBetween(low: number, high: number): Check {
  return mustBe(
    `a number from ${low} to ${high}`,
    (value) => typeof value === 'number' && value >= low && value <= high,
    { isRange: true },
  );
}

export function integerBetween(low: number, high: number): Check {
  return mustBe(
    `an integer from ${low} to ${high}`,
    (value) => Number.isInteger(value) && Number(value) >= low && Number(value) <= high,
    { isRange: true },
  );
}

/** A number of milliseconds that a timer of Node can wait. A timer with a longer wait would fire at once. */
export const milliseconds: Check = integerBetween(1, 2_147_483_647);

export const flag: Check = mustBe('true or false', (value) => typeof value === 'boolean');

export const callback: Check = mustBe('a function', (value) => typeof value === 'function');

/** An address whose path or user part may contain a secret, such as an API key. */
export const secretHttpAddress: Check = mustBe('an http(s) address', isHttpAddress, { secret: true });

export function isHttpAddress(value: unknown): value is string {
  return typeof value === 'string' && URL.canParse(value) && /^https?:$/.test(new URL(value).protocol);
}

/** Whether all percent-encoded parts of the address, such as its password, can be decoded. */
export function isWellEncoded(address: string): boolean {
  try {
    decodeURI(address);
    return true;
  } catch {
    return false;
  }
}

export function printableText(longest: number): Check {
  return mustBe(
    `1 to ${longest} printable ASCII characters`,
    (value) =>
      typeof value === 'string' &&
      value.length <= longest &&
      /^[\x20-\x7e]+$/.test(value) &&
      value.trim() !== '',
  );
}

export function textOnOneLine(longest: number): Check {
  return mustBe(
    `a text of 1 to ${longest} characters without control characters`,
    (value) =>
      typeof value === 'string' && value.length <= longest && /^\P{Cc}+$/u.test(value) && value.trim() !== '',
  );
}

/**
 * An object with the named functions, such as an implementation of a port. If the value is a text, the message
 * leaves it out, because an address may contain a password.
 */
export function implementing<Port>(what: string, methods: readonly (keyof Port & string)[]): Check {
  return (value, { factory, path }) => {
    if (value === undefined) throw new TypeError(`${factory}: ${path} is required: it must be ${what}`);
    const missing = methods.find((method) => !hasFunction(value, method));
    if (missing === undefined) return;
    const got = isRecord(value) ? `an object without the function ${missing}` : kindOf(value);
    throw new TypeError(`${factory}: ${path} must be ${what}, got ${got}`);
  };
}

export const aClock: Check = implementing<{ now(): number }>('a clock with the function now', ['now']);

function hasFunction(value: unknown, method: string): boolean {
  return isRecord(value) && typeof value[method] === 'function';
}

const LONGEST_SHOWN = 80;

function shown(value: unknown): string {
  if (typeof value === 'number') return String(value);
  if (typeof value !== 'string') return kindOf(value);
  return JSON.stringify(value.length > LONGEST_SHOWN ? `${value.slice(0, LONGEST_SHOWN)}…` : value);
}

/**
 * Says in a few words what kind of value was given. Leaves texts and numbers out, because they may be secret.
 */
export function kindOf(value: unknown): string {
  if (value === null || value === undefined || typeof value === 'boolean') return String(value);
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'string') return 'a text';
  if (typeof value === 'function')
    return `the function ${value.name || 'without a name'} (was it to be called?)`;
  if (value instanceof Date) return 'a Date';
  if (isRecord(value) && typeof value['then'] === 'function') return 'a promise (was it to be awaited?)';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

/**
 * The known name that differs least from `name`. Capitals and separators do not count. `null` when no known
 * name is close.
 */
export function nearestName(name: string, known: readonly string[]): string | null {
  const bare = (text: string): string => text.toLowerCase().replace(/[^a-z0-9]/g, '');
  const given = bare(name).slice(0, LONGEST_SHOWN);
  const furthest = Math.min(3, Math.floor(given.length / 3));
  const ranked = known
    .map((candidate) => ({ candidate, distance: distanceOf(given, bare(candidate)) }))
    .sort((a, b) => a.distance - b.distance);
  const [best] = ranked;
  return best !== undefined && best.distance <= furthest ? best.candidate : null;
}

/**
 * How far two names differ. The distance is 1 if one name begins with the other and the given name has at least 4
 * characters.
 */
function distanceOf(given: string, candidate: string): number {
  const isPart = given.length >= 4 && (candidate.startsWith(given) || given.startsWith(candidate));
  return isPart && given !== candidate ? 1 : editDistance(given, candidate);
}

/** The Levenshtein distance: how many letters have to be inserted, removed or replaced. */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [i, letter] of [...from].entries()) {
    const next = [i + 1];
    for (const [j, other] of [...to].entries()) {
      const exchanged = (row[j] ?? 0) + (letter === other ? 0 : 1);
      next.push(Math.min(exchanged, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
