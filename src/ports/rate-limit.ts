import type { Logger } from './logger';

export interface RateLimitDecision {
  allowed: boolean;
  /** How many further requests the window allows: after the request that `hit` decides on, or now (`peek`). */
  remaining: number;
  /** When the oldest counted request leaves the window. In an empty window, `now`. */
  resetAt: number;
}

export interface FailureCount {
  /** The number of failures in the current window. */
  failures: number;
  /** When the window ends and its failures are forgotten. */
  resetAt: number;
}

/**
 * Counts requests in a rolling window. An implementation allows at most `limit` requests in any window, wherever the
 * window begins. A refused request is not counted.
 */
export interface RollingWindow {
  /** Counts a request of `subject` (a key or an address) unless that would exceed `limit`. */
  hit(subject: string, limit: number, now: number): Promise<RateLimitDecision> | RateLimitDecision;
  /** Returns the figures as they are now. Counts nothing. */
  peek(subject: string, limit: number, now: number): Promise<RateLimitDecision> | RateLimitDecision;
}

/** Counts failures of a subject in a fixed window, which begins with the first failure. */
export interface FailureCounter {
  count(subject: string, now: number): Promise<FailureCount> | FailureCount;
  record(subject: string, now: number): Promise<void> | void;
}

/**
 * The port for rate limits (docs/specification.md "Rate limits" and "Failed authentications"). Makes the counters. All
 * instants are milliseconds since the epoch. `now` comes from the injected clock. The counters answer also before
 * `start` and after `close`, and keep the counts of their instance. A backend that depends on a server counts by itself
 * while the server gives no valid answer, so that requests do not wait. A status such as 429 says nothing about the
 * subject. A secret goes only to the server: not to the address of a redirect, and into no name and no log line.
 */
export interface RateLimitBackend {
  /** The name in logs: `memory`, `redis`, or a name of your own. */
  readonly name: string;
  /** Makes the counter of requests in a rolling window of this length. */
  window(windowMs: number): RollingWindow;
  /** Makes the counter of failures in fixed windows of this length. */
  failures(windowMs: number): FailureCounter;
  /** Fulfils soon, also while the server does not answer, because the service starts only after it. */
  start?(context: { logger: Logger }): Promise<void>;
  close?(): Promise<void>;
}
