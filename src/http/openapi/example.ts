/** The values of path and query parameters, by name. */
export type ParameterValues = Readonly<Record<string, string | number>>;

/** One request that a service has answered, and its answer. */
export interface OperationExample {
  parameters?: ParameterValues;
  body?: unknown;
  answer?: unknown;
}
