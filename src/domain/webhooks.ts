/**
 * A webhook is an endpoint of a user, to which the service sends facts. The next fact that a webhook wants is sent
 * again until the endpoint accepts it, so the endpoint gets the facts in order. The code is pure: time and randomness
 * are arguments.
 */
import { withJitter } from './back-off';
import type { EventName } from './events';
import { isAhead } from './instants';

/** The events that webhooks send. Each fact becomes at most one of these events. */
export const WEBHOOK_EVENTS = [
  'market.created',
  'market.resolving',
  'market.proposed',
  'market.escalated',
  'market.resolved',
  'trade',
  'creator.updated',
] as const satisfies EventName[];
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];

export const WEBHOOK_STATUSES = ['enabled', 'disabled'] as const;
export type WebhookStatus = (typeof WEBHOOK_STATUSES)[number];

export interface WebhookSecret {
  /** The secret as `whsec_` and base64. */
  secret: string;
  /** When the secret stops signing. `null` for the newest secret. */
  until: number | null;
}

export interface Webhook {
  id: number;
  url: string;
  description: string | null;
  events: WebhookEvent[];
  /** The secrets, newest first. */
  secrets: WebhookSecret[];
  status: WebhookStatus;
  /** Why the webhook is disabled. `null` while it is enabled. */
  disabledReason: string | null;
  /** The position: the next fact to deliver has a higher number. */
  seq: number;
  /** How many attempts to deliver the next fact have failed in a row. */
  failures: number;
  failingSince: number | null;
  /** When the next attempt is made, while the webhook is enabled. `null`: at once. */
  nextAttemptAt: number | null;
  /**
   * The range of the facts that were removed because of their age before they were delivered. The range stays until
   * an operator enables the webhook or moves its position.
   */
  lost: SeqRange | null;
  /**
   * The revision rises with each stored change of the position, the status or the failures. The job that delivers
   * compares the revision before a write, so a change by an operator is not overwritten.
   */
  revision: number;
  createdAt: number;
  updatedAt: number;
}

export interface SeqRange {
  /** The number of the first fact. */
  from: number;
  /** The number of the last fact. */
  to: number;
}

export const DELIVERY_OUTCOMES = ['delivered', 'failed', 'lost'] as const;
export type DeliveryOutcome = (typeof DELIVERY_OUTCOMES)[number];

/** One attempt to deliver a fact, or the note that facts were removed before they were delivered. */
export interface WebhookDelivery {
  id: number;
  webhookId: number;
  epoch: string;
  /** The number of the fact. For `lost` facts, the number of the last one. */
  seq: number;
  event: WebhookEvent | null;
  /** The number of the attempt to deliver this fact, from 1. 0 when the outcome is `lost`. */
  attempt: number;
  outcome: DeliveryOutcome;
  attemptedAt: number;
  durationMs: number;
  /** The status of the answer. `null`: there was no answer. */
  responseStatus: number | null;
  /** The beginning of the answer's body. */
  responseBody: string | null;
  error: string | null;
}

/** The pauses after the first failures. After these, an attempt is made about every hour. */
const FIRST_PAUSES_MS = [1_000, 5_000, 30_000, 300_000, 1_800_000];
const LATER_PAUSE_MS = 3_600_000;
/** A webhook whose endpoint has failed for this long is disabled. */
export const GIVE_UP_AFTER_MS = 3 * 24 * 3_600_000;
/** The longest pause, with jitter and rounding. A next attempt further ahead was written by a wrong clock. */
const LONGEST_PAUSE_MS = 1.1 * LATER_PAUSE_MS + 1;

/** The pause after `failures` failures in a row. `chance` is from 0 to below 1. */
export function retryPauseMs(failures: number, chance: number): number {
  return withJitter(FIRST_PAUSES_MS[failures - 1] ?? LATER_PAUSE_MS, chance);
}

export function isDue({ status, nextAttemptAt }: Webhook, now: number): boolean {
  return status === 'enabled' && (nextAttemptAt === null || !isAhead(nextAttemptAt, now, LONGEST_PAUSE_MS));
}

export function wants({ events }: Webhook, event: WebhookEvent): boolean {
  return events.includes(event);
}

const NOT_FAILING = { failures: 0, failingSince: null, nextAttemptAt: null } as const;

/** The webhook after it has delivered the facts up to `seq`, or has skipped those that it does not want. */
export function movedTo(webhook: Webhook, seq: number): Webhook {
  return { ...webhook, ...NOT_FAILING, seq };
}

export interface DeliveryFailure {
  reason: string;
  /** Whether the endpoint says that it will never take a message again (HTTP 410). */
  isGone: boolean;
  /** How long the endpoint asks us to wait. `null`: it does not ask. */
  retryAfterMs: number | null;
}

export function failedAgain(
  webhook: Webhook,
  { reason, isGone, retryAfterMs }: DeliveryFailure,
  now: number,
  chance: number,
): Webhook {
  const failures = webhook.failures + 1;
  const failingSince = webhook.failingSince ?? now;
  const givesUpAt = failingSince + GIVE_UP_AFTER_MS;
  const failing = { ...webhook, failures, failingSince };
  if (isGone || now >= givesUpAt) {
    const disabledReason = isGone ? reason : `failed for three days: ${reason}`;
    return { ...failing, status: 'disabled', disabledReason, nextAttemptAt: null };
  }
  const pauseMs = Math.max(retryPauseMs(failures, chance), Math.min(retryAfterMs ?? 0, LATER_PAUSE_MS));
  return { ...failing, nextAttemptAt: Math.min(now + pauseMs, givesUpAt) };
}

/** The webhook after the facts of the range were removed because of their age. The fact after the range is next. */
export function pastLost(webhook: Webhook, { from, to }: SeqRange): Webhook {
  return { ...webhook, ...NOT_FAILING, seq: to, lost: { from: webhook.lost?.from ?? from, to } };
}

/**
 * The webhook after an operator has enabled it. Sending continues at once after its position. `lost` is reset.
 */
export function enabled(webhook: Webhook): Webhook {
  const { revision } = webhook;
  const status = { status: 'enabled', disabledReason: null, lost: null } as const;
  return { ...webhook, ...NOT_FAILING, ...status, revision: revision + 1 };
}

/**
 * The webhook after an operator has moved its position: sending continues with the fact `seq`. A disabled webhook
 * stays disabled.
 */
export function replayedFrom(webhook: Webhook, seq: number): Webhook {
  return { ...webhook, ...NOT_FAILING, seq: seq - 1, lost: null, revision: webhook.revision + 1 };
}

/** The most secrets of a webhook, the newest one included. */
export const MOST_SECRETS = 5;

export function activeSecrets({ secrets }: Webhook, now: number): WebhookSecret[] {
  return secrets.filter(({ until }) => until === null || until > now);
}

/**
 * The webhook with a new secret. `null`: too many secrets are still in use. With an overlap of 0, older secrets
 * stop signing at once.
 */
export function rotated(webhook: Webhook, secret: string, overlapMs: number, now: number): Webhook | null {
  const until = now + overlapMs;
  const older = overlapMs === 0 ? [] : activeSecrets(webhook, now);
  if (older.length >= MOST_SECRETS) return null;
  const ending = older.map((old) => ({ secret: old.secret, until: Math.min(old.until ?? until, until) }));
  return { ...webhook, secrets: [{ secret, until: null }, ...ending] };
}
