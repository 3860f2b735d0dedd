import {
  isPredictionMarketError,
  type FieldError,
  type PredictionMarketError,
} from '../../src/domain/errors';

/** Its EIP-55 form is in lower case, so both forms that the service writes are the same. */
export const ADDRESS = '0x27b1fdb04752bbc536007a920d24acb045561c26';

/** Fails for any outcome but a VALIDATION_ERROR. */
export function refusalOf(parse: () => unknown): PredictionMarketError {
  try {
    parse();
  } catch (error) {
    if (isPredictionMarketError(error) && error.code === 'VALIDATION_ERROR') return error;
    throw error;
  }
  throw new Error('Expected a refusal');
}

export function errorsOf(parse: () => unknown): FieldError[] {
  const { errors } = refusalOf(parse);
  if (errors === undefined) throw new Error('Expected field errors');
  return errors;
}

export function fieldsOf(parse: () => unknown): string[] {
  return errorsOf(parse).map((error) => error.field);
}
