/** Looks up the recorded example of an operation, or of a message to webhooks. */
import type { OperationExample } from './example';
import { recordedExamples } from './examples.generated';

/** `path` has no prefix: `/public/markets/{id}`. */
export function exampleOf(method: string, path: string): OperationExample {
  return JSON.parse(recordedExamples[`${method} ${path}`] ?? '{}') as OperationExample;
}

export function webhookExampleOf(event: string): OperationExample {
  return exampleOf('webhook', event);
}
