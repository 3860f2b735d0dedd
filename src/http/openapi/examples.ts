/** The recorded examples of the operations, of their refusals, and of the messages to webhooks. */
import type { ErrorCode } from '../../domain/errors';
import { recordedExamples, recordedRefusals } from './examples.generated';
import type { ExampleObject } from './operation';

/** The values of path and query parameters, by name. */
export type ParameterValues = Readonly<Record<string, string | number>>;

/** One request that a service has answered, and its answer. */
export interface OperationExample {
  parameters?: ParameterValues;
  body?: unknown;
  answer?: unknown;
}

/** `path` has no prefix: `/public/markets/{id}`. */
export function exampleOf(method: string, path: string): OperationExample {
  return JSON.parse(recordedExamples[`${method} ${path}`] ?? '{}') as OperationExample;
}

export function webhookExampleOf(event: string): OperationExample {
  return exampleOf('webhook', event);
}

/**
 * The codes whose answer is usually the same for all operations. An operation that answers differently has an example
 * of its own.
 */
const SHARED_CODES: ReadonlySet<string> = new Set<ErrorCode>([
  'UNAUTHORIZED',
  'PAYLOAD_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
  'RATE_LIMIT_EXCEEDED',
  'INTERNAL_ERROR',
  'SERVICE_UNAVAILABLE',
  'FACILITATOR_UNAVAILABLE',
  'SETTLEMENT_PENDING',
]);

/** The name of the example that operations share, or `null` if each operation has its own. */
export function sharedRefusal(code: string, group: string): string | null {
  if (!SHARED_CODES.has(code) || group === 'documents') return null;
  return group === 'auth' ? `auth.${code}` : code;
}

/** The recorded refusals of an operation, by code. A code that was not recorded is left out. */
export function refusalExamplesOf(
  operation: string,
  group: string,
  codes: readonly ErrorCode[],
): Record<string, ExampleObject> {
  const entries = codes.flatMap((code): [string, ExampleObject][] => {
    const own = recordedRefusals[`${operation} ${code}`];
    if (own !== undefined) return [[code, { value: JSON.parse(own) as unknown }]];
    const shared = sharedRefusal(code, group);
    if (shared === null || recordedRefusals[shared] === undefined) return [];
    return [[code, { $ref: `#/components/examples/${shared}` }]];
  });
  return Object.fromEntries(entries);
}

/** The examples to which `refusalExamplesOf` refers for these codes. */
export function sharedExamplesOf(group: string, codes: readonly ErrorCode[]): Record<string, ExampleObject> {
  const names = codes.flatMap((code) => sharedRefusal(code, group) ?? []);
  const known = names.flatMap((name): [string, ExampleObject][] => {
    const text = recordedRefusals[name];
    return text === undefined ? [] : [[name, { value: JSON.parse(text) as unknown }]];
  });
  return Object.fromEntries(known);
}
