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

export function faultOfAnswer(method: 'hit' | 'peek' | 'count', answer: unknown): AnswerFault | null {
  const given = (typeof answer === 'object' && answer !== null ? answer : {}) as Record<string, unknown>;
  for (const [name, [words, fits, sentence]] of Object.entries(method === 'count' ? FAILURES : DECISION)) {
    const seen = `\`${name}\` of what \`${method}\` answered: ${cameOf(given[name])}`;
    if (!fits(given[name])) return { sentence, seen: `${seen}; expected: ${words}` };
  }
  return null;
}
