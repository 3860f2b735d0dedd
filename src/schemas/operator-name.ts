import { LONGEST_OPERATOR_NAME } from '../domain/operator-acts';
import { textProblem } from './text';

/** Whether the value can stand as the name of an operator in the operators' log. */
export const isOperatorName = (value: unknown): value is string =>
  typeof value === 'string' && textProblem(value, { max: LONGEST_OPERATOR_NAME, multiline: false }) === null;
