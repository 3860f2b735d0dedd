/**
 * The rolling window of requests. An implementation never lets more than `limit` calls through in any
 * window; a refused call is not counted (docs/rate-limits.md).
 */
import type { Logger } from './logger';

export interface RateLimitDecision {
  allowed: boolean;
  /** Calls left in the window after this one. */
  remaining: number;
  /** When the oldest counted call leaves the window, milliseconds since the epoch. */
  resetAt: number;
}

/** How often something failed, and when that is forgotten (milliseconds since the epoch). */
export interface FailureCount {
  failures: number;
  resetAt: number;
}

export interface RollingWindow {
  /** Counts a call of `subject` unless that would exceed `limit`. */
  hit(subject: string, limit: number, now: number): Promise<RateLimitDecision> | RateLimitDecision;
  /** The same figures without counting anything. */
  peek(subject: string, limit: number, now: number): Promise<RateLimitDecision> | RateLimitDecision;
}

/** Failures per address in a fixed window; guards the signature checks. */
export interface FailureCounter {
  count(subject: string, now: number): Promise<FailureCount> | FailureCount;
  record(subject: string, now: number): Promise<void> | void;
}

/** Answers before `start` and after `close` too. What it cannot ask must not keep requests waiting. */
export interface RateLimitBackend {
  readonly name: string;
  window(windowMs: number): RollingWindow;
  failures(windowMs: number): FailureCounter;
  start?(context: { logger: Logger }): Promise<void>;
  close?(): Promise<void>;
}
