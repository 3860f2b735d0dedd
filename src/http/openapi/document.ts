/** Builds the OpenAPI 3.1 document from the table of routes and the schemas that validate requests. */
import { codesOfStatus, ERROR_TABLE, type ErrorCode } from '../../domain/errors';
import { answers } from '../../views/answers.schema';
import { needsAdmission, type Route, type RouteGroup } from '../route';
import {
  exampleOf,
  refusalExamplesOf,
  sharedExamplesOf,
  type OperationExample,
  type ParameterValues,
} from './examples';
import type { MediaType, Operation, Parameter, ResponseObject } from './operation';
import { componentsOf, isRecord, jsonSchemaOf, referenceTo, type JsonSchema } from './schema';
import { webhookOperations } from './webhooks';

export interface DocumentOptions {
  title: string;
  version: string;
  /** The beginning of every path, such as `/api/v2`. */
  prefix: string;
}

export interface OpenApiDocument {
  openapi: string;
  info: { title: string; version: string; description: string };
  servers: { url: string }[];
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Operation>>;
  /** The requests that the service sends to webhooks. */
  webhooks: Record<string, { post: Operation }>;
  components: Record<string, unknown>;
}

const TAGS: Record<RouteGroup, string> = {
  auth: 'Keys: a wallet proves itself by signing a challenge. No key needed.',
  creator: 'Creator status of a wallet. No key needed.',
  public: 'Markets, trades and the wallet behind the key. Needs `X-API-Key`.',
  live: 'Facts as they happen. A key is needed for the account of a wallet only.',
  x402: 'Pay per request: the signed payment is the authentication. No key needed.',
  admin: 'Operators. The host decides who may enter.',
  documents: 'Health and documentation.',
};

/** An empty entry in a list means that the call works without a key too. */
const SECURITY: Partial<Record<RouteGroup, Operation['security']>> = {
  public: [{ apiKey: [] }],
  live: [{}, { apiKey: [] }],
};

const RATE_LIMIT_HEADERS = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'] as const;

export function buildDocument(routes: readonly Route[], options: DocumentOptions): OpenApiDocument {
  const paths: OpenApiDocument['paths'] = {};
  for (const route of routes) {
    const path = options.prefix + templateOf(route.path);
    paths[path] = { ...paths[path], [route.method]: operationOf(route) };
  }
  const groups = [...new Set(routes.map((route) => route.group))];
  return {
    openapi: '3.1.0',
    info: {
      title: options.title,
      version: options.version,
      description:
        'Money is USD as numbers with at most 6 decimals, prices are probabilities, instants are ISO 8601.',
    },
    servers: [{ url: '/' }],
    tags: groups.map((group) => ({ name: group, description: TAGS[group] })),
    paths,
    webhooks: webhookOperations(),
    components: {
      schemas: componentsOf(answers),
      examples: Object.assign(
        {},
        ...routes.map((route) => sharedExamplesOf(route.group, errorCodesOf(route))),
      ) as object,
      headers: {
        ...Object.fromEntries(Object.entries(HEADERS).map(([name, text]) => [name, headerObject(text)])),
        'PAYMENT-REQUIRED': {
          description: 'The requirements for clients of x402 version 2: base64 of JSON',
          schema: { type: 'string' },
        },
      },
      securitySchemes: { apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' } },
    },
  };
}

const HEADERS: Record<string, string> = {
  'X-RateLimit-Limit': 'Requests per rolling minute',
  'X-RateLimit-Remaining': 'Requests left in the window',
  'X-RateLimit-Reset': 'Unix seconds: when the oldest counted request leaves the window',
  'Retry-After': 'Seconds to wait',
};

const RETRY_AFTER_PAYMENT = {
  'Retry-After': headerObject('Seconds to wait. Only for a copy of a payment that is at work'),
};

function headerObject(description: string): object {
  return { description, schema: { type: 'integer', minimum: 0 } };
}

function operationOf(route: Route): Operation {
  const example = exampleOf(route.method, templateOf(route.path));
  const parameters = parametersOf(route, example.parameters ?? {});
  return {
    operationId: operationIdOf(route),
    summary: route.summary,
    ...describe(route),
    tags: [route.group],
    security: SECURITY[route.group] ?? [],
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(route.body === undefined ? {} : { requestBody: bodyOf(route.body, example) }),
    responses: responsesOf(route, example),
  };
}

function describe(route: Route): { description?: string } {
  const scope = route.scope === undefined ? [] : [`Needs the scope \`${route.scope}\`.`];
  const lines = [...(route.description === undefined ? [] : [route.description]), ...scope];
  return lines.length === 0 ? {} : { description: lines.join(' ') };
}

/** The example is left out if the options of the host refuse it, such as a withdrawal below the host's minimum. */
function bodyOf(
  schema: NonNullable<Route['body']>,
  { body }: OperationExample,
): NonNullable<Operation['requestBody']> {
  const converted = jsonSchemaOf(schema);
  const required = Array.isArray(converted['required']) && converted['required'].length > 0;
  const isAllowed = body !== undefined && schema.validate(body).error === undefined;
  const content: MediaType = { schema: converted, ...(isAllowed ? { example: body } : {}) };
  return { required, content: { 'application/json': content } };
}

function parametersOf(route: Route, values: ParameterValues): Parameter[] {
  const path: Parameter[] =
    route.param === undefined
      ? []
      : [
          {
            name: route.param.name,
            in: 'path',
            required: true,
            description: route.param.description,
            schema: jsonSchemaOf(route.param.schema),
          },
        ];
  const headers = (route.headers ?? []).map((header): Parameter => ({
    name: header.name,
    in: 'header',
    required: false,
    description: header.description,
    schema: jsonSchemaOf(header.schema),
  }));
  const named = [...path, ...queryParametersOf(route)].map((parameter): Parameter => {
    const example = values[parameter.name];
    return example === undefined ? parameter : { ...parameter, example };
  });
  return [...named, ...headers];
}

function queryParametersOf(route: Route): Parameter[] {
  if (route.query === undefined) return [];
  const schema = jsonSchemaOf(route.query);
  const properties = isRecord(schema['properties']) ? schema['properties'] : {};
  const required: unknown[] = Array.isArray(schema['required']) ? schema['required'] : [];
  return Object.entries(properties).map(([name, value]): Parameter => {
    const { description, ...rest } = isRecord(value) ? value : {};
    return {
      name,
      in: 'query',
      required: required.includes(name),
      ...(typeof description === 'string' ? { description } : {}),
      schema: rest,
    };
  });
}

function responsesOf(route: Route, example: OperationExample): Record<string, ResponseObject> {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of errorCodesOf(route)) {
    const status = ERROR_TABLE[code].status;
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  const responses: Record<string, ResponseObject> = {
    [route.success.status]: successResponse(route, example),
  };
  for (const [status, codes] of byStatus) responses[status] = errorResponse(route, status, codes);
  return responses;
}

/**
 * The errors that the route names, and the errors of its group and of its inputs, ordered by status. A route
 * of `documents` has only the errors that it names.
 */
export function errorCodesOf(route: Route): ErrorCode[] {
  if (route.group === 'documents') return [...route.errors];
  const codes: ErrorCode[] = [...route.errors];
  if (route.body !== undefined || route.query !== undefined || route.param !== undefined)
    codes.push('VALIDATION_ERROR');
  if (route.body !== undefined) codes.push('PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE');
  if (route.group === 'public') codes.push('UNAUTHORIZED');
  if (route.scope !== undefined) codes.push('INSUFFICIENT_SCOPE');
  if (route.paid === true) codes.push(...PAID_CODES);
  if (needsAdmission(route.group)) codes.push('RATE_LIMIT_EXCEEDED');
  codes.push('INTERNAL_ERROR', 'SERVICE_UNAVAILABLE');
  return [...new Set(codes)].sort((a, b) => ERROR_TABLE[a].status - ERROR_TABLE[b].status);
}

const PAID_CODES = [
  ...codesOfStatus(402),
  'FACILITATOR_UNAVAILABLE',
  'SETTLEMENT_PENDING',
  'RATE_LIMIT_EXCEEDED',
] as const satisfies ErrorCode[];

function successResponse(route: Route, { answer }: OperationExample): ResponseObject {
  const { view, contentType } = route.success;
  const declared: Record<string, unknown> = needsAdmission(route.group) ? headersOf(RATE_LIMIT_HEADERS) : {};
  for (const [name, meaning] of Object.entries(route.success.headers ?? {})) {
    declared[name] = { description: meaning, required: false, schema: { type: 'string' } };
  }
  const headers = Object.keys(declared).length === 0 ? {} : { headers: declared };
  if (view === undefined) {
    return { description: 'Success', ...headers, content: { [contentType ?? 'text/plain']: { schema: {} } } };
  }
  const schema = route.group === 'auth' ? wrappedSchema(referenceTo(view)) : referenceTo(view);
  const content: MediaType = { schema, ...(answer === undefined ? {} : { example: answer }) };
  return { description: 'Success', ...headers, content: { 'application/json': content } };
}

function wrappedSchema(data: JsonSchema): JsonSchema {
  return {
    type: 'object',
    properties: { success: { type: 'boolean', const: true }, data },
    required: ['success', 'data'],
    additionalProperties: false,
  };
}

function errorResponse(route: Route, status: number, codes: readonly ErrorCode[]): ResponseObject {
  // The readiness probe belongs to `documents`. It answers 200 and 503 in the same shape.
  const name =
    route.group === 'documents' ? (route.success.view ?? 'Error') : errorSchemaName(route.group, status);
  const names = [
    ...(needsAdmission(route.group) ? RATE_LIMIT_HEADERS : []),
    ...(status === 429 || status === 503 ? ['Retry-After'] : []),
    ...(status === 402 ? ['PAYMENT-REQUIRED'] : []),
  ];
  const examples = refusalExamplesOf(`${route.method} ${templateOf(route.path)}`, route.group, codes);
  return {
    description: codes.map((code) => `${code}: ${ERROR_TABLE[code].meaning}`).join('\n\n'),
    ...(names.length === 0
      ? {}
      : { headers: { ...headersOf(names), ...(status === 402 && RETRY_AFTER_PAYMENT) } }),
    content: { 'application/json': { schema: narrowed(name, codes, route.group === 'documents'), examples } },
  };
}

function errorSchemaName(group: RouteGroup, status: number): string {
  if (group === 'auth') return 'AuthError';
  if (status === 402) return 'PaymentRequired';
  return status === 429 ? 'RateLimitError' : 'Error';
}

/** The named shape of an error, with `code` limited to the codes with which this route may answer. */
function narrowed(name: string, codes: readonly ErrorCode[], asItIs: boolean): JsonSchema {
  if (asItIs) return referenceTo(name);
  return {
    allOf: [
      referenceTo(name),
      { type: 'object', properties: { code: { type: 'string', enum: [...codes] } } },
    ],
  };
}

function headersOf(names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

function templateOf(path: string): string {
  return path.replace(/:(\w+)/g, '{$1}');
}

function operationIdOf(route: Route): string {
  const words = route.path.split(/[^A-Za-z0-9]+/).filter((word) => word !== '');
  const tail = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
  return route.method + tail;
}
