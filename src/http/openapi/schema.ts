import type Joi from 'joi';

export type JsonSchema = Record<string, unknown>;

/**
 * The JSON Schema of the JSON that a caller sends or receives, in the dialect of OpenAPI 3.1 (JSON Schema
 * 2020-12).
 */
export function jsonSchemaOf(schema: Joi.Schema): JsonSchema {
  const converted: unknown = schema['~standard'].jsonSchema.input({ target: 'draft-2020-12' });
  if (!isRecord(converted)) throw new TypeError('a Joi schema did not convert to a JSON Schema object');
  return withDescriptionOfAll(withNullInEnums(converted));
}

/**
 * Joi writes the description of a value with several types into the first entry of `anyOf`. This function moves the
 * description next to `anyOf`, where it describes all entries.
 */
function withDescriptionOfAll(schema: JsonSchema): JsonSchema {
  const copy = mapNested(schema, withDescriptionOfAll);
  const [first, ...others] = Array.isArray(copy['anyOf']) ? (copy['anyOf'] as unknown[]) : [];
  if (!isRecord(first) || typeof first['description'] !== 'string') return copy;
  const { description, ...type } = first;
  return { ...copy, description, anyOf: [type, ...others] };
}

/**
 * Adds null to the `enum` of a text that may be null. Joi writes null into `type` and leaves it out of `enum`.
 */
function withNullInEnums(schema: JsonSchema): JsonSchema {
  const copy = mapNested(schema, withNullInEnums);
  const { type, enum: values } = copy;
  const mayBeNull = Array.isArray(type) && type.includes('null');
  if (!mayBeNull || !Array.isArray(values) || values.includes(null)) return copy;
  return { ...copy, enum: [...(values as unknown[]), null] };
}

function mapNested(schema: JsonSchema, change: (nested: JsonSchema) => JsonSchema): JsonSchema {
  const nested = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(nested);
    return isRecord(value) ? change(value) : value;
  };
  return Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, nested(value)]));
}

/**
 * Converts the named schemas. Joi writes nested schemas out in full. Here, a named schema inside another schema
 * becomes a reference.
 */
export function componentsOf(named: Readonly<Record<string, Joi.Schema>>): Record<string, JsonSchema> {
  const converted = Object.entries(named).map(([name, schema]) => [name, jsonSchemaOf(schema)] as const);
  const names = new Map(converted.map(([name, schema]) => [JSON.stringify(schema), name]));
  return Object.fromEntries(
    converted.map(([name, schema]) => [
      name,
      Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, withReferences(value, names)])),
    ]),
  );
}

export function referenceTo(name: string): JsonSchema {
  return { $ref: `#/components/schemas/${name}` };
}

function withReferences(value: unknown, names: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(value)) return value.map((entry) => withReferences(entry, names));
  if (!isRecord(value)) return value;
  const name = value['type'] === 'object' ? names.get(JSON.stringify(value)) : undefined;
  if (name !== undefined) return referenceTo(name);
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, withReferences(entry, names)]));
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
