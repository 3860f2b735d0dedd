/** Nonsense in place of what sources answer. */

/** Makes nonsense of the body that a source would have answered. */
export type Nonsense = (body: string) => string;

/** Whole bodies that say nothing, by what they are. */
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

/** The same JSON, however it is written. */
export function normal(body: string): string {
  const value = parsed(body);
  return value === undefined ? body.trim() : JSON.stringify(value);
}

type Path = readonly string[];

/** How one field of a body is spoilt. `undefined`: not at all. */
type Spoil = (value: unknown) => unknown;

export const SPOILS: readonly Spoil[] = [
  // A text may be one of several words, and `ab` would be a further word. So a text becomes an object, unless it is the
  // text of a figure or a date.
  (value) => (typeof value === 'string' && !isFigure(value) ? {} : 'ab'),
  () => null,
];

/**
 * Spoils one field after the other: `at` counts the fields of a body. A body that is no JSON stays as it is. `fields` is
 * the number of fields that the last body had.
 */
export function spoiler(at: number, spoil: Spoil): { nonsense: Nonsense; fields(): number } {
  let fields = 0;
  return {
    fields: () => fields,
    nonsense(body) {
      const value = parsed(body);
      const paths = value === undefined ? [] : fieldsOf(value);
      fields = Math.max(fields, paths.length);
      const path = paths[at];
      return path === undefined ? body : JSON.stringify(spoilt(value, path, spoil));
    },
  };
}

function fieldsOf(value: unknown, path: Path = []): Path[] {
  if (value === null || value === undefined) return [];
  if (!isObject(value)) return [path];
  return Object.entries(value).flatMap(([name, field]) => fieldsOf(field, [...path, name]));
}

function spoilt(value: unknown, [name, ...rest]: Path, spoil: Spoil): unknown {
  if (name === undefined) return spoil(value);
  const field = spoilt((value as Record<string, unknown>)[name], rest, spoil);
  if (Array.isArray(value)) return value.map((one: unknown, index) => (String(index) === name ? field : one));
  return { ...(value as object), [name]: field };
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

const isFigure = (text: string): boolean =>
  text.trim() !== '' && (Number.isFinite(Number(text)) || isDate(text));
const isDate = (text: string): boolean => /^\d{4}-\d\d-\d\d/.test(text);

function parsed(body: string): unknown {
  try {
    return JSON.parse(body) as unknown;
  } catch {
    return undefined;
  }
}
