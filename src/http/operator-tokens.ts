/** The tokens of several operators, each with the name of its operator. */
import type { Request } from 'express';
import { isRecord, kindOf, mustBe, type Check } from '../domain/options';
import { LONGEST_OPERATOR_NAME } from '../domain/operator-acts';
import { isOperatorName } from '../schemas/operator-name';

/** One token for each name of an operator. */
export type OperatorTokens = Readonly<Record<string, string>>;

type Pairs = readonly (readonly [name: string, token: unknown])[];

const MOST_TOKENS = 100;
const SHORTEST_TOKEN = 16;
const A_TOKEN = `at least ${SHORTEST_TOKEN} printable ASCII characters without spaces`;

const isToken = (text: unknown): text is string =>
  typeof text === 'string' && text.length >= SHORTEST_TOKEN && /^[\x21-\x7e]+$/.test(text);

export const aToken: Check = mustBe(A_TOKEN, isToken, { secret: true });

export const namedTokens: Check = (value, { factory, path }) => {
  if (!isRecord(value))
    throw new TypeError(`${factory}: ${path} must be an object of names and tokens, got ${kindOf(value)}`);
  const problem = problemOf(Object.entries(value));
  if (problem !== null) throw new TypeError(`${factory}: ${path}: ${problem}`);
};

/**
 * Reads the tokens of several operators from a text, such as the environment variable `ADMIN_TOKENS`:
 * `alice:TOKEN,bob:TOKEN`. A token must not contain a comma. `undefined` and an empty text stand for no tokens. Throws
 * a `TypeError` that does not repeat the text.
 */
export function parseOperatorTokens(text: string | undefined): Record<string, string> | undefined {
  const value = text?.trim() ?? '';
  if (value === '') return undefined;
  const pairs = value.split(',').map(pairOf);
  const problem = problemOf(pairs);
  if (problem !== null) throw new TypeError(`expected alice:TOKEN,bob:TOKEN; ${problem}`);
  return Object.fromEntries(pairs);
}

function pairOf(part: string): [name: string, token: string] {
  const colon = part.indexOf(':');
  return [part.slice(0, Math.max(colon, 0)).trim(), part.slice(colon + 1).trim()];
}

/** What is wrong. The text repeats neither names nor tokens, because a token may stand where its name belongs. */
function problemOf(pairs: Pairs): string | null {
  if (pairs.length === 0 || pairs.length > MOST_TOKENS) return `there must be 1 to ${MOST_TOKENS} tokens`;
  for (const [index, [name, token]] of pairs.entries()) {
    if (!isOperatorName(name))
      return `name ${index + 1} must be a line of 1 to ${LONGEST_OPERATOR_NAME} characters`;
    if (!isToken(token)) return `token ${index + 1} must be ${A_TOKEN}`;
  }
  if (new Set(pairs.map(([name]) => name)).size < pairs.length) return 'two names are the same';
  if (new Set(pairs.map(([, token]) => token)).size < pairs.length) return 'two tokens are the same';
  return null;
}

/**
 * The request has the name under this symbol. A host that loads the package both as an ES module and as CommonJS has
 * two copies of this file, and both know the symbol.
 */
const OPERATOR = Symbol.for('express-prediction-market.operator');

export function nameOperator(request: Request, name: string): void {
  Object.defineProperty(request, OPERATOR, { value: name, configurable: true });
}

/**
 * The name of the operator whose token `requireToken` has found in the request. `undefined` if the token has no name,
 * or if `requireToken` does not guard the route.
 */
export function operatorOfToken(request: Request): string | undefined {
  return (request as { [OPERATOR]?: string })[OPERATOR];
}
