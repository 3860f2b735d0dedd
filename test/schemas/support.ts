import {
  isPredictionMarketError,
  type FieldError,
  type PredictionMarketError,
} from '../../src/domain/errors';

/** The EIP-55 form of this address has no capital letter. */
export const ADDRESS = '0x27b1fdb04752bbc536007a920d24acb045561c26';

/** Returns the VALIDATION_ERROR that `parse` throws. Any other outcome fails the test. */
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
