/** Finds a fault in an answer of a backend. */
import { cameOf } from '../conformance/members';
import type { RateLimitSentence } from './contract';

export interface AnswerFault {
  sentence: RateLimitSentence;
  seen: string;
}

type Fits = (value: unknown) => boolean;
/** The fields of an answer: what each must be, in words and as code, and the sentence that says so. */
type Fields = Readonly<Record<string, readonly [words: string, fits: Fits, sentence: RateLimitSentence]>>;

const isCount: Fits = (value) => Number.isInteger(value) && (value as number) >= 0;
const COUNT = 'a whole number, 0 or more';
const INSTANT = 'a number of milliseconds';

const DECISION: Fields = {
  allowed: ['true or false', (value) => typeof value === 'boolean', 'counts'],
  remaining: [COUNT, isCount, 'remaining'],
  resetAt: [INSTANT, Number.isFinite, 'epoch'],
};
const FAILURES: Fields = {
  failures: [COUNT, isCount, 'current'],
  resetAt: [INSTANT, Number.isFinite, 'epoch'],
};

/** All wrong fields of an answer, under the sentence of the first one. `null`: none is wrong. */
export function faultOfAnswer(method: 'hit' | 'peek' | 'count', answer: unknown): AnswerFault | null {
  const fields = method === 'count' ? FAILURES : DECISION;
  if (typeof answer !== 'object' || answer === null) {
    const expected = `an object with ${Object.keys(fields).join(', ')}`;
    const sentence = method === 'count' ? 'current' : 'counts';
    return { sentence, seen: `\`${method}\` answered ${cameOf(answer)}; expected: ${expected}` };
  }
  const wrong = Object.entries(fields).filter(([name, [, fits]]) => !fits(Reflect.get(answer, name)));
  const [first] = wrong;
  if (first === undefined) return null;
  const [, [, , sentence]] = first;
  const seen = wrong.map(
    ([name, [words]]) => `\`${name}\`: ${cameOf(Reflect.get(answer, name))}; expected: ${words}`,
  );
  return { sentence, seen: `of what \`${method}\` answered, ${seen.join('; ')}` };
}
