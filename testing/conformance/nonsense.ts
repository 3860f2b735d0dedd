/**
 * Answers that make no sense. The suites let the services of an adapter give them in place of their correct
 * answers.
 */

/** Takes the body that a service would answer, and returns the body that it answers instead. */
export type Nonsense = (body: string) => string;

/** Bodies without usable information. The names of the fields describe them in reports. */
export const NONSENSE: Readonly<Record<string, Nonsense>> = {
  'an empty body': () => '',
  'a body of white space': () => ' \n',
  'a body that is cut off': (body) => (isObject(parsed(body)) ? body.slice(0, body.length / 2) : '{ "ab'),
  'bytes that are no text': () => '\u0000\ufffd\u0001{"ab',
  'a page in place of data': () => '<!doctype html><title>502 Bad Gateway</title><p>YES or NO</p>',
  null: () => 'null',
  'an empty object': () => '{}',
  'an empty list': () => '[]',
  'a text in place of an object': () => '"ab"',
  'an error in place of data': () => '{"error":"ab"}',
};

/** The body in one spelling, so that equal JSON with different white space compares as equal. */
export function normal(body: string): string {
  const value = parsed(body);
  return value === undefined ? body.trim() : JSON.stringify(value);
}

export type Path = readonly string[];

/** Returns the wrong value that replaces the value of a field. */
export type Spoil = (value: unknown) => unknown;

export const SPOILS: readonly Spoil[] = [
  // A wrong type: free text becomes an object, because `ab` could be valid text. Every other value becomes `ab`.
  (value) => (typeof value === 'string' && !isFigure(value) ? {} : 'ab'),
  () => null,
];

/** The service leaves the field out. In a list, `null` takes its place. */
export const LEFT_OUT: Spoil = () => undefined;

/**
 * Puts a wrong value into the field number `at` of each body. A body that is not JSON stays as it is. `fields`
 * returns the greatest number of fields that a body had so far.
 */
export function spoiler(
  at: number,
  spoil: Spoil,
  pathsOf: (value: unknown) => Path[] = fieldsOf,
): { nonsense: Nonsense; fields(): number } {
  let fields = 0;
  return {
    fields: () => fields,
    nonsense(body) {
      const value = parsed(body);
      const paths = value === undefined ? [] : pathsOf(value);
      fields = Math.max(fields, paths.length);
      const path = paths[at];
      return path === undefined ? body : (JSON.stringify(spoilt(value, path, spoil)) ?? 'null');
    },
  };
}

/** The paths of the numbers, texts and booleans in an answer, at any depth. */
export function fieldsOf(value: unknown, path: Path = []): Path[] {
  if (value === null || value === undefined) return [];
  if (!isObject(value)) return [path];
  return Object.entries(value).flatMap(([name, field]) => fieldsOf(field, [...path, name]));
}

/** The paths of all fields of an answer that are not null, at any depth, including objects and lists. */
export function partsOf(value: unknown, path: Path = []): Path[] {
  if (value === null || value === undefined) return [];
  const own = path.length === 0 && isObject(value) ? [] : [path];
  if (!isObject(value)) return own;
  return [...own, ...Object.entries(value).flatMap(([name, field]) => partsOf(field, [...path, name]))];
}

export function spoilt(value: unknown, [name, ...rest]: Path, spoil: Spoil): unknown {
  if (name === undefined) return spoil(value);
  const field = spoilt((value as Record<string, unknown>)[name], rest, spoil);
  if (Array.isArray(value)) return value.map((one: unknown, index) => (String(index) === name ? field : one));
  return { ...(value as object), [name]: field };
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Whether the text is a number (also 0x-hex, as an address is) or a date. */
export const isFigure = (text: string): boolean =>
  text.trim() !== '' && (Number.isFinite(Number(text)) || isDate(text));
const isDate = (text: string): boolean => /^\d{4}-\d\d-\d\d/.test(text);

export const valueAt = (value: unknown, path: Path): unknown =>
  path.reduce<unknown>((inner, name) => (inner as Record<string, unknown> | null | undefined)?.[name], value);

export function parsed(body: string): unknown {
  try {
    return JSON.parse(body) as unknown;
  } catch {
    return undefined;
  }
}
