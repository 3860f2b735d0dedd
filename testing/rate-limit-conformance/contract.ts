/** The sentences of src/ports/rate-limit.ts, under the names that tests cite. */
import { CURES } from '../conformance/cures';
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

const RATE_LIMIT_CURES: Readonly<Partial<Record<RateLimitSentence, string>>> = {
  limit:
    'Look and count in one step of the shared store, such as one script or one transaction. Without the store, count in the process.',
  refused: 'Store a request only if it is let in.',
  counts: 'Use the subject as it is, byte by byte, and the length of the window, as the key of the count.',
  remaining: 'Give the limit less the counted requests, and never less than 0.',
  resetAt:
    'Give the instant of the oldest counted request plus the length of the window. At that instant the request does not count any more.',
  empty: 'Give `now` as `resetAt` when no request is counted.',
  forgotten:
    'Begin the window with the first failure, let no later one prolong it, and forget all at its end.',
  onlyLooks: 'Let `peek` and `count` only read.',
  failures:
    'Add each failure in one step of the shared store, with the subject as it is and the length of the window as the key.',
  epoch: 'Convert seconds to milliseconds.',
  clock: 'Use `now`, and neither `Date.now()` nor the clock of the server.',
  always: 'Connect with the first call. Let `close` end the connection only, and count in the process then.',
  waits:
    'Give each request a time limit that ends with the body, and count in the process after each failure. While the server fails, do not ask it in every call.',
  status:
    'Use an answer only if its status is that of a success and each field has the right form. Otherwise count in the process.',
  secret: `${CURES.redirect} Log the address and the cause without the key.`,
  starts: 'Let `start` connect in the background, and reject nothing.',
};

export const RATE_LIMIT_CONTRACT: Contract<RateLimitSentence> = {
  port: 'RateLimitBackend',
  where: 'docs/rate-limit-adapters.md, and the comments of src/ports/rate-limit.ts',
  sentences: SENTENCES,
  cures: RATE_LIMIT_CURES,
};

/** Sentences of the port that the suite does not check. */
export const RATE_LIMIT_EXPLANATIONS: readonly string[] = [
  'The port for rate limits (docs/specification.md "Rate limits" and "Failed authentications").',
  'Makes the counters.',
  'Counts requests in a rolling window.',
  'Makes the counter of requests in a rolling window of this length.',
  'Makes the counter of failures in fixed windows of this length.',
];
