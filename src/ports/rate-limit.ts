/**
 * The rolling window of requests. An implementation never lets more than `limit` calls through in any
 * window; a refused call is not counted (SPEC "Limits").
 */
export interface RateLimitDecision {
  allowed: boolean;
  /** Calls left in the window after this one. */
  remaining: number;
  /** When the oldest counted call leaves the window, milliseconds since the epoch. */
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
  count(
    subject: string,
    now: number,
  ): Promise<{ failures: number; resetAt: number }> | { failures: number; resetAt: number };
  record(subject: string, now: number): Promise<void> | void;
}

export interface RateLimitBackend {
  readonly name: string;
  window(windowMs: number): RollingWindow;
  failures(windowMs: number): FailureCounter;
  start?(): Promise<void>;
  close?(): Promise<void>;
}
