/** What the value of each hook has to be, and what the hook returns, so that no report blames the adapter for a wrong hook. */
import { cameOf } from './members';

interface Demand {
  /** Completes the sentence "must be …" or "must return …". */
  what: string;
  fits(value: unknown): boolean;
}

/** What the value of a hook has to be. `undefined` always fits: checks that need the hook report that it is missing. */
export interface HookKind extends Demand {
  /** What a function returns or resolves with. */
  result?: Demand;
}

/** By the name of each hook of a suite, what it has to be. If a table lacks a hook, it does not compile. */
export type Hooks<Made> = { readonly [Name in keyof Made]-?: HookKind };

type HookTable = Readonly<Record<string, HookKind>>;

const isFunction = (value: unknown): boolean => typeof value === 'function';
const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null;
const isText = (value: unknown): boolean => typeof value === 'string';
const isListOf = (value: unknown, fits: (one: unknown) => boolean): boolean =>
  Array.isArray(value) && value.every(fits);

/** A member that another check looks at, such as the adapter itself. */
export const ANYTHING: HookKind = { what: 'a value', fits: () => true };
export const FALSE: HookKind = { what: '`false`', fits: (value) => value === false };
export const TRUE_OR_FALSE: HookKind = {
  what: '`true` or `false`',
  fits: (value) => typeof value === 'boolean',
};
export const TEXT: HookKind = { what: 'a text', fits: isText };
export const TEXTS: HookKind = { what: 'a list of texts', fits: (value) => isListOf(value, isText) };
export const OBJECT: HookKind = { what: 'an object', fits: isObject };

export const oneOf = (...words: readonly string[]): HookKind => ({
  what: words.map((word) => `'${word}'`).join(' or '),
  fits: (value) => words.includes(value as string),
});

export const listOfWords = (...words: readonly string[]): HookKind => ({
  what: `a list of ${words.map((word) => `'${word}'`).join(' and ')}`,
  fits: (value) => isListOf(value, (one) => words.includes(one as string)),
});

export const aFunction = (result?: Demand): HookKind => ({
  what: 'a function',
  fits: isFunction,
  ...(result !== undefined && { result }),
});

export const functions = (result?: Demand): HookKind => ({
  ...aFunction(result),
  what: 'a function or a list of functions',
  fits: (value) => isFunction(value) || isListOf(value, isFunction),
});

export const orFalse = (kind: HookKind): HookKind => ({
  ...kind,
  what: `${kind.what} or \`false\``,
  fits: (value) => value === false || kind.fits(value),
});

// --- what hooks return ---

/** The function that ends what the hook has begun. */
export const END: Demand = { what: 'a function that ends it', fits: isFunction };
export const END_OR_FALSE: Demand = {
  what: 'a function that ends it, or `false`',
  fits: (value) => value === false || isFunction(value),
};
export const BIGINT: Demand = { what: 'a bigint', fits: (value) => typeof value === 'bigint' };
export const NUMBER: Demand = { what: 'a number', fits: (value) => typeof value === 'number' };

export const withFunctions = (...names: readonly string[]): Demand => ({
  what: `an object with the functions ${names.map((name) => `\`${name}\``).join(' and ')}`,
  fits: (value) => isObject(value) && names.every((name) => isFunction(Reflect.get(Object(value), name))),
});

/** One line for each hook whose value does not fit. */
export function faultsOfHooks(made: unknown, hooks: HookTable): string[] {
  if (!isObject(made)) return [];
  return Object.entries(hooks).flatMap(([name, { what, fits }]) => {
    const value: unknown = Reflect.get(Object(made), name);
    if (value === undefined || fits(value)) return [];
    return [`\`${name}\` must be ${what}; came: ${cameOf(value)}`];
  });
}

/** What is wrong with the value that a hook has returned; `null` if nothing is. `name` begins the sentence. */
export function faultOfResult(name: string, value: unknown, result: Demand | undefined): string | null {
  if (result === undefined || result.fits(value)) return null;
  return `${name} must return ${result.what}; came: ${cameOf(value)}`;
}
