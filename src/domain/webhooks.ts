/**
 * Webhooks: endpoints of users to which each fact is sent. An endpoint has one position. The fact after it is
 * sent again until the endpoint takes it, so the order holds and none is left out. All decisions are here;
 * time and randomness are arguments.
 */
import { withJitter } from './back-off';
import type { EventName } from './events';
import { isAhead } from './instants';

/** The events that webhooks tell of: one for each fact that they are told of. */
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
  /** `whsec_` and base64. */
  secret: string;
  /** When it stops signing; `null` for the newest one. */
  until: number | null;
}

export interface Webhook {
  id: number;
  url: string;
  description: string | null;
  /** The events that it wants. */
  events: WebhookEvent[];
  /** Newest first. */
  secrets: WebhookSecret[];
  status: WebhookStatus;
  /** Why it is disabled. */
  disabledReason: string | null;
  /** Every fact up to this number was delivered, or is of no wanted event, or is `lost`. */
  seq: number;
  /** Attempts in a row that failed, all with the fact that is next. */
  failures: number;
  failingSince: number | null;
  /** `null`: at once. */
  nextAttemptAt: number | null;
  /** Facts that were removed by age before they were delivered. It stays until an operator has seen it. */
  lost: SeqRange | null;
  /**
   * Rises with each change of the position or the status. The job that delivers compares it, so that what it
   * remembered cannot overwrite a change that it has not seen.
   */
  revision: number;
  createdAt: number;
  updatedAt: number;
}

export interface SeqRange {
  from: number;
  to: number;
}

export const DELIVERY_OUTCOMES = ['delivered', 'failed', 'lost'] as const;
export type DeliveryOutcome = (typeof DELIVERY_OUTCOMES)[number];

/** One attempt to deliver a fact, or the note that facts were removed before they were delivered. */
export interface WebhookDelivery {
  id: number;
  webhookId: number;
  epoch: string;
  /** Of `lost` facts, the last one. */
  seq: number;
  event: WebhookEvent | null;
  /** Counts the attempts with this fact from 1; 0 for `lost`. */
  attempt: number;
  outcome: DeliveryOutcome;
  attemptedAt: number;
  durationMs: number;
  /** `null`: there was no answer. */
  responseStatus: number | null;
  /** The beginning of the answer's body. */
  responseBody: string | null;
  error: string | null;
}

/** The pauses after the first failures. Then it is every hour. */
const FIRST_PAUSES_MS = [1_000, 5_000, 30_000, 300_000, 1_800_000];
const LATER_PAUSE_MS = 3_600_000;
/** An endpoint that fails for so long is disabled. */
export const GIVE_UP_AFTER_MS = 3 * 24 * 3_600_000;
/** The longest pause, with its jitter and its rounding. A later instant was written by a wrong clock. */
const LONGEST_PAUSE_MS = 1.1 * LATER_PAUSE_MS + 1;

/** The pause after so many failures in a row. `chance` is from 0 to below 1. */
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

/** The facts up to `seq` were delivered, or are of no wanted event. */
export function movedTo(webhook: Webhook, seq: number): Webhook {
  return { ...webhook, ...NOT_FAILING, seq };
}

export interface DeliveryFailure {
  reason: string;
  /** The endpoint says that it will never take anything again (HTTP 410). */
  isGone: boolean;
  /** How long the endpoint asks to be left alone; `null`: it does not ask. */
  retryAfterMs: number | null;
}

/** After one more failed attempt: the next one is later, or the webhook is disabled. */
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

/** The facts of the range were removed by age, so the next one is behind them. */
export function pastLost(webhook: Webhook, { from, to }: SeqRange): Webhook {
  return { ...webhook, ...NOT_FAILING, seq: to, lost: { from: webhook.lost?.from ?? from, to } };
}

/** Goes on from where it stood, at once. An operator has seen what was lost. */
export function enabled(webhook: Webhook): Webhook {
  const { revision } = webhook;
  const status = { status: 'enabled', disabledReason: null, lost: null } as const;
  return { ...webhook, ...NOT_FAILING, ...status, revision: revision + 1 };
}

/** The fact with this number is the next one. A disabled webhook stays disabled. */
export function replayedFrom(webhook: Webhook, seq: number): Webhook {
  return { ...webhook, ...NOT_FAILING, seq: seq - 1, lost: null, revision: webhook.revision + 1 };
}

/** Including the newest one. */
export const MOST_SECRETS = 5;

/** The secrets that sign now: the newest one, and older ones whose time is not over. */
export function activeSecrets({ secrets }: Webhook, now: number): WebhookSecret[] {
  return secrets.filter(({ until }) => until === null || until > now);
}

/** `null`: too many secrets are still in use. With an overlap of 0, older ones end at once. */
export function rotated(webhook: Webhook, secret: string, overlapMs: number, now: number): Webhook | null {
  const until = now + overlapMs;
  const older = overlapMs === 0 ? [] : activeSecrets(webhook, now);
  if (older.length >= MOST_SECRETS) return null;
  const ending = older.map((old) => ({ secret: old.secret, until: Math.min(old.until ?? until, until) }));
  return { ...webhook, secrets: [{ secret, until: null }, ...ending] };
}
