import type { FieldError, PredictionMarketError } from '../domain/errors';

/** SPEC fixes `error` in places; everywhere else it equals `message`. */
export interface RefusalView {
  error: string;
  code: string;
  message: string;
  errors?: FieldError[];
}

/** The body of a refusal on /public, /creator, /x402 and the admin routes (DESIGN §4). */
export function refusalView(error: PredictionMarketError, message: string = error.message): RefusalView {
  const body = { error: message, code: error.code, message };
  return error.errors === undefined ? body : { ...body, errors: error.errors };
}
