/** Sends the operations wrong inputs, ids that do not exist, and keys without the scope, if they declare a refusal. */
import type { OpenApiDocument } from '../src/http/openapi/document';
import type { OperationExample, ParameterValues } from '../src/http/openapi/examples';
import type { Operation, Parameter } from '../src/http/openapi/operation';
import { isRecord } from '../src/http/openapi/schema';
import { API_PREFIX } from '../src/http/prefix';
import { UNREADABLE, type Ask } from './api-examples-ask';
import type { ClientDocuments } from './client-documents';

export interface Sweep {
  ask: Ask;
  documents: ClientDocuments;
  examples: Readonly<Record<string, OperationExample>>;
  keys: Readonly<Record<'all' | 'markets:read' | 'account:read', string>>;
}

export async function sweep({
  ask,
  documents: { callers, operators },
  examples,
  keys,
}: Sweep): Promise<void> {
  for (const { name, operation } of [...operationsOf(callers, API_PREFIX), ...operationsOf(operators, '')]) {
    if (operation.tags[0] === 'documents') continue;
    const { parameters = {}, body } = examples[name] ?? {};
    const isOfKeys = operation.tags[0] === 'public';
    const key = isOfKeys ? keys.all : undefined;
    const sent = { parameters, body, ...(key === undefined ? {} : { key }) };
    const refuses = (code: string): boolean => refusesWith(operation, code);
    if (isOfKeys && refuses('INSUFFICIENT_SCOPE')) {
      const reads = operation.description?.includes('`markets:read`') === true;
      await ask(name, { ...sent, key: keys[reads ? 'account:read' : 'markets:read'] });
    }
    if (refuses('VALIDATION_ERROR')) await ask(name, { ...sent, ...wrongInput(operation, parameters, body) });
    const unknown = unknownId(operation, parameters);
    if (unknown !== null && refuses('NOT_FOUND'))
      await ask(name, { ...sent, parameters: { ...parameters, ...unknown } });
  }
}

function operationsOf({ paths }: OpenApiDocument, prefix: string): { name: string; operation: Operation }[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      name: `${method} ${path.slice(prefix.length)}`,
      operation,
    })),
  );
}

/** Whether the operation declares the code. `NOT_FOUND` also finds `MARKET_NOT_FOUND` and `KEY_NOT_FOUND`. */
function refusesWith({ responses }: Operation, code: string): boolean {
  return Object.values(responses).some(({ description }) => description.includes(`${code}: `));
}

/**
 * Makes one field wrong: in the body, or else in the query, or else in the path. If the body or the query has a
 * required field, that field is missing from the request.
 */
function wrongInput(
  { parameters = [], requestBody }: Operation,
  values: ParameterValues,
  body: unknown,
): { parameters?: ParameterValues; body?: unknown } {
  const schema = requestBody?.content['application/json']?.schema;
  if (schema !== undefined) return { body: wrongBody(schema, isRecord(body) ? body : {}) };
  const [first] = [...parameters.filter(({ in: place }) => place === 'query')].sort(
    (a, b) => rank(a) - rank(b),
  );
  if (first?.required === true) return { parameters: without(values, first.name) };
  if (first !== undefined) return { parameters: { ...values, [first.name]: 'many' } };
  const [inPath] = parameters;
  if (inPath === undefined) return {};
  // Other texts may be the id of a market or a withdrawal, so they are not a wrong input.
  const wrong = inPath.name === 'address' ? '0x' : UNREADABLE;
  return { parameters: { ...values, [inPath.name]: wrong } };
}

/** A required parameter comes first, and then a number. */
function rank({ required, schema }: Parameter): number {
  if (required) return 0;
  return /number|integer/.test(String(schema['type'])) ? 1 : 2;
}

function wrongBody(schema: Record<string, unknown>, body: Record<string, unknown>): unknown {
  const [required] = Array.isArray(schema['required']) ? (schema['required'] as string[]) : [];
  if (required !== undefined) return without(body, required);
  const [first = ''] = Object.keys(isRecord(schema['properties']) ? schema['properties'] : {});
  return { ...body, [first]: {} };
}

function without<Value>(values: Readonly<Record<string, Value>>, name: string): Record<string, Value> {
  return Object.fromEntries(Object.entries(values).filter(([key]) => key !== name));
}

function unknownId({ parameters = [] }: Operation, values: ParameterValues): ParameterValues | null {
  const name = parameters.find(({ in: place }) => place === 'path')?.name;
  if (name === undefined) return null;
  return { [name]: /^\d+$/.test(String(values[name])) ? 999 : 'unknown' };
}
