/**
 * Turns raw input into commands with Joi. This file reports unknown keys, converts query texts, and keeps one message
 * for each field.
 */
import type Joi from 'joi';
import { PredictionMarketError, validationError, type FieldError } from '../domain/errors';
import { nearestName } from '../domain/options';
import { MISMATCH } from './common';

const OPTIONS = {
  abortEarly: false,
  // Joi converts nothing: "5" is not a number. The texts of a query are converted before Joi sees them.
  convert: false,
  // `unknownKeys` reports unknown keys.
  allowUnknown: true,
  errors: { wrap: { label: false } },
} as const satisfies Joi.ValidationOptions;

/** The most fields in one report, so that a hostile body does not cause a huge answer. */
const LARGEST_REPORT = 20;
const LONGEST_NAME = 64;

interface Shape {
  names: ReadonlySet<string>;
  numbers: ReadonlySet<string>;
  required: readonly string[];
  /** The accepted values of the fields that have a list of them, such as `'YES' | 'NO'`. */
  values: ReadonlyMap<string, string>;
  incomplete: IncompleteMeta | null;
}

/** Metadata of a schema. If any of these fields is missing, null or an empty text, the error has this message. */
export interface IncompleteMeta {
  fields: readonly string[];
  message: string;
}

interface Described {
  keys?: Record<
    string,
    { type?: string; allow?: readonly unknown[]; flags?: { presence?: string; only?: boolean } }
  >;
  metas?: { incomplete?: IncompleteMeta }[];
}

const shapes = new WeakMap<Joi.Schema, Shape>();

function shapeOf(schema: Joi.Schema): Shape {
  const known = shapes.get(schema);
  if (known !== undefined) return known;
  const { keys = {}, metas = [] } = schema.describe() as Described;
  const entries = Object.entries(keys);
  const shape = {
    names: new Set(entries.map(([name]) => name)),
    numbers: new Set(entries.filter(([, key]) => key.type === 'number').map(([name]) => name)),
    required: entries.filter(([, key]) => key.flags?.presence === 'required').map(([name]) => name),
    values: new Map(
      entries.flatMap(([name, { allow = [], flags }]) =>
        flags?.only === true ? [[name, allow.map((value) => `'${String(value)}'`).join(' | ')]] : [],
      ),
    ),
    incomplete: metas.find((meta) => meta.incomplete !== undefined)?.incomplete ?? null,
  };
  shapes.set(schema, shape);
  return shape;
}

/**
 * A fast reader of plain objects. It returns what the schema would return, or `null` if the schema has to check the
 * input.
 */
export type Shortcut<T> = (raw: Readonly<Record<string, unknown>>) => T | null;

/** Throws VALIDATION_ERROR. */
export function parseBody<T>(schema: Joi.Schema<T>, raw: unknown, shortcut?: Shortcut<T>): T {
  return parseObject(schema, raw, 'body', shortcut);
}

/** Throws VALIDATION_ERROR. */
export function parseInput<T>(schema: Joi.Schema<T>, raw: unknown, shortcut?: Shortcut<T>): T {
  return parseObject(schema, raw, 'input', shortcut);
}

/** Reads the last argument of a typed method, `{ operator }`. Throws VALIDATION_ERROR. */
export function parseOperator<T>(schema: Joi.Schema<T>, raw: unknown): T {
  return parseObject(schema, raw, 'operator');
}

/**
 * The form of an accepted object, such as `{ outcome: 'YES' | 'NO', market: … }`. The message to a caller who passes
 * no object to a typed method shows it.
 */
function exampleOf(schema: Joi.Schema): string {
  const { names, required, incomplete, values } = shapeOf(schema);
  const [first = ''] = names;
  const shown = incomplete?.fields ?? (required.length > 0 ? required : [first]);
  return `{ ${shown.map((name) => `${name}: ${values.get(name) ?? '…'}`).join(', ')} }`;
}

/**
 * Reads a query string. Numbers are read as in JSON. Unknown names are ignored. Throws VALIDATION_ERROR, also for a
 * known name that comes twice.
 */
export function parseQuery<T>(schema: Joi.Schema<T>, searchParams: URLSearchParams): T {
  const { names, numbers } = shapeOf(schema);
  const fields: Record<string, unknown> = {};
  const repeated: FieldError[] = [];
  for (const name of names) {
    const values = searchParams.getAll(name);
    if (values.length > 1) repeated.push({ field: name, message: `${name} must be given once` });
    else if (values[0] !== undefined) fields[name] = numbers.has(name) ? readNumber(values[0]) : values[0];
  }
  return validate(schema, fields, repeated);
}

const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** A text that is not a number stays a text, and the schema refuses it. */
function readNumber(text: string): unknown {
  return JSON_NUMBER.test(text) ? Number(text) : text;
}

function parseObject<T>(schema: Joi.Schema<T>, raw: unknown, what: What, shortcut?: Shortcut<T>): T {
  requireObject(schema, raw, what);
  return takeShortcut(raw, shortcut) ?? validate(schema, raw, unknownKeys(schema, raw));
}

type What = 'body' | 'input' | 'operator';

/** Throws VALIDATION_ERROR. Except for a `body`, the message shows the form of an accepted object. */
export function requireObject(schema: Joi.Schema, raw: unknown, what: What = 'input'): asserts raw is object {
  if (typeof raw === 'object' && raw !== null && !Array.isArray(raw)) return;
  const object = what === 'body' ? 'a JSON object' : `an object, such as ${exampleOf(schema)}`;
  throw validationError([{ field: what, message: `The ${what} must be ${object}` }]);
}

function takeShortcut<T>(raw: object, shortcut?: Shortcut<T>): T | null {
  // An object with another prototype may have inherited fields, which the shortcut would read.
  if (Object.getPrototypeOf(raw) !== Object.prototype) return null;
  return shortcut?.(raw as Readonly<Record<string, unknown>>) ?? null;
}

/**
 * The keys of an object that the schema does not know. Joi would not report a key `__proto__`, because its clone of the
 * object loses this key.
 */
function unknownKeys(schema: Joi.Schema, raw: object): FieldError[] {
  const { names } = shapeOf(schema);
  const unknown = Object.keys(raw).filter((name) => !names.has(name));
  return unknown.slice(0, LARGEST_REPORT).map((name) => {
    const field = shortened(name);
    const near = nearestName(field, [...names]);
    return { field, message: `${field} is not allowed${near === null ? '' : `; did you mean ${near}?`}` };
  });
}

function shortened(name: string): string {
  const text = name.replace(/\p{Surrogate}/gu, '\ufffd');
  return text.length <= LONGEST_NAME ? text : `${Array.from(text).slice(0, LONGEST_NAME).join('')}…`;
}

function validate<T>(schema: Joi.Schema<T>, raw: object, found: FieldError[]): T {
  const { error, value } = (schema as Joi.AnySchema<T>).validate(raw, OPTIONS);
  if (error === undefined && found.length === 0) return value as T;
  const errors = firstOfEachField([...found, ...(error?.details ?? []).flatMap(fieldErrors)]);
  throw missingMessage(schema, raw, errors) ?? validationError(errors.slice(0, LARGEST_REPORT));
}

function fieldErrors(detail: Joi.ValidationErrorItem): FieldError[] {
  if (detail.type === MISMATCH) return (detail.context as { errors: FieldError[] }).errors;
  return [{ field: detail.path.join('.'), message: detail.message }];
}

function missingMessage(schema: Joi.Schema, raw: object, errors: FieldError[]): PredictionMarketError | null {
  const { incomplete } = shapeOf(schema);
  if (incomplete === null) return null;
  const given = new Map<string, string | null | undefined>(Object.entries(raw));
  const isMissing = incomplete.fields.some((name) => [undefined, null, ''].includes(given.get(name)));
  return isMissing ? new PredictionMarketError('VALIDATION_ERROR', incomplete.message, { errors }) : null;
}

function firstOfEachField(errors: readonly FieldError[]): FieldError[] {
  const byField = new Map<string, FieldError>();
  for (const error of errors) if (!byField.has(error.field)) byField.set(error.field, error);
  return [...byField.values()];
}
