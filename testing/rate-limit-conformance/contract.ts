/** The sentences of src/ports/rate-limit.ts, under the names that tests cite. */
import type { Contract } from '../conformance/runner';

const SENTENCES = {
  limit: 'An implementation allows at most `limit` requests in any window, wherever the window begins.',
  refused: 'A refused request is not counted.',
  counts: 'Counts a request of `subject` (a key or an address) unless that would exceed `limit`.',
  remaining:
    'How many further requests the window allows: after the request that `hit` decides on, or now (`peek`).',
  resetAt: 'When the oldest counted request leaves the window.',
  empty: 'In an empty window, `now`.',
  forgotten: 'When the window ends and its failures are forgotten.',
  peeks: 'Returns the figures as they are now.',
  onlyLooks: 'Counts nothing.',
  failures: 'Counts failures of a subject in a fixed window, which begins with the first failure.',
  current: 'The number of failures in the current window.',
  epoch: 'All instants are milliseconds since the epoch.',
  clock: '`now` comes from the injected clock.',
  name: 'The name in logs: `memory`, `redis`, or a name of your own.',
  always: 'The counters answer also before `start` and after `close`, and keep the counts of their instance.',
  waits:
    'A backend that depends on a server counts by itself while the server gives no valid answer, so that requests do not wait.',
  status: 'A status such as 429 says nothing about the subject.',
  secret:
    'A secret goes only to the server: not to the address of a redirect, and into no name and no log line.',
  starts: 'Fulfils soon, also while the server does not answer, because the service starts only after it.',
} as const;

export type RateLimitSentence = keyof typeof SENTENCES;

export const RATE_LIMIT_CONTRACT: Contract<RateLimitSentence> = {
  port: 'RateLimitBackend',
  where: 'docs/rate-limit-adapters.md, and the comments of src/ports/rate-limit.ts',
  sentences: SENTENCES,
};

/** Sentences of the port that the suite does not check. */
export const RATE_LIMIT_EXPLANATIONS: readonly string[] = [
  'The port for rate limits (docs/specification.md "Rate limits" and "Failed authentications").',
  'Makes the counters.',
  'Counts requests in a rolling window.',
  'Makes the counter of requests in a rolling window of this length.',
  'Makes the counter of failures in fixed windows of this length.',
];
