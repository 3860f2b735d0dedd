/** The recorded examples of the operations, and of the messages to webhooks. */
import { recordedExamples } from './examples.generated';

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
