import type { JsonSchema } from './schema';

export interface Operation {
  operationId: string;
  summary: string;
  description?: string;
  tags: string[];
  security: Record<string, string[]>[];
  parameters?: Parameter[];
  requestBody?: { required: boolean; content: Record<string, MediaType> };
  responses: Record<string, ResponseObject>;
}

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  description?: string;
  schema: JsonSchema;
  example?: string | number;
}

export interface MediaType {
  schema: JsonSchema;
  example?: unknown;
  /** By the code of the refusal. */
  examples?: Record<string, ExampleObject>;
}

export type ExampleObject = { value: unknown } | { $ref: string };

export interface ResponseObject {
  description: string;
  headers?: Record<string, unknown>;
  content?: Record<string, MediaType>;
}
