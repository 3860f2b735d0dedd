import type { Request } from 'express';
import { LONGEST_OPERATOR_NAME } from '../domain/operator-acts';
import { textProblem } from '../schemas/text';

/** The host's function that names the operator of a request, which the host has authenticated. */
export type OperatorName = (request: Request) => string | Promise<string>;

/** The name in the log if the host gives no function `operatorName`. */
const UNNAMED = 'operator';

/**
 * The name that the host gives. If the name is not valid, the promise rejects. The request then gets the status 500
 * and changes nothing.
 */
export async function operatorOf(name: OperatorName | undefined, request: Request): Promise<string> {
  if (name === undefined) return UNNAMED;
  const operator: unknown = await name(request);
  const isName =
    typeof operator === 'string' &&
    textProblem(operator, { max: LONGEST_OPERATOR_NAME, multiline: false }) === null;
  if (isName) return operator;
  throw new TypeError(
    `createPredictionMarket: operatorName must answer with a line of 1 to ${LONGEST_OPERATOR_NAME} characters`,
  );
}
