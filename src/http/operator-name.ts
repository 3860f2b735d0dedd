import type { Request } from 'express';
import { LONGEST_OPERATOR_NAME } from '../domain/operator-acts';
import { isOperatorName } from '../schemas/operator-name';
import { operatorOfToken } from './operator-tokens';

/** The host's function that names the operator behind a request. The host has authenticated the operator before. */
export type OperatorName = (request: Request) => string | Promise<string>;

/** The name in the log if neither the host nor the token of the request names the operator. */
const UNNAMED = 'operator';

/**
 * The name that the host's function gives. Without this function, the name of the request's token, or `operator` if
 * the token has no name. If the function fails or gives no valid name, the promise rejects. The request then gets the
 * status 500 and changes nothing.
 */
export async function operatorOf(name: OperatorName | undefined, request: Request): Promise<string> {
  if (name === undefined) return operatorOfToken(request) ?? UNNAMED;
  const operator: unknown = await name(request);
  if (isOperatorName(operator)) return operator;
  throw new TypeError(
    `createPredictionMarket: operatorName must answer with a line of 1 to ${LONGEST_OPERATOR_NAME} characters`,
  );
}
