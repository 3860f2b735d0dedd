/** The sentences of src/ports/rate-limit.ts, under names that tests cite. */
import type { Contract } from '../conformance/runner';

const SENTENCES = {
  limit:
    'An implementation never lets more than `limit` calls through in any window; a refused call is not counted (docs/rate-limits.md).',
  counts: 'Counts a call of `subject` unless that would exceed `limit`.',
  remaining: 'Calls left in the window after this one.',
  resetAt: 'When the oldest counted call leaves the window, milliseconds since the epoch.',
  forgotten: 'How often something failed, and when that is forgotten (milliseconds since the epoch).',
  peeks: 'The same figures without counting anything.',
  failures: 'Failures per address in a fixed window; guards the signature checks.',
  always: 'Answers before `start` and after `close` too.',
  waits: 'What it cannot ask must not keep requests waiting.',
} as const;

export type RateLimitSentence = keyof typeof SENTENCES;

export const RATE_LIMIT_CONTRACT: Contract<RateLimitSentence> = {
  port: 'RateLimitBackend',
  sentences: SENTENCES,
};

/** What only says what a thing is. */
export const RATE_LIMIT_EXPLANATIONS: readonly string[] = ['The rolling window of requests.'];
