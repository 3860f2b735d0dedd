import type { FieldError, PredictionMarketError } from '../domain/errors';

/** `error` equals `message`, except where docs/errors.md says otherwise. */
export interface RefusalView {
  error: string;
  code: string;
  message: string;
  errors?: FieldError[];
}

/** The body of a refusal on /public, /creator, /x402 and the operators' routes (docs/errors.md "Bodies"). */
export function refusalView(error: PredictionMarketError, message: string = error.message): RefusalView {
  const body = { error: message, code: error.code, message };
  return error.errors === undefined ? body : { ...body, errors: error.errors };
}
