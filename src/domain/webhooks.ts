/**
 * Webhooks: endpoints of users to which each fact is sent. An endpoint has one position. The fact after it is
 * sent again until the endpoint takes it, so the order holds and none is left out. All decisions are here;
 * time and randomness are arguments.
 */
import type { EventName } from './events';

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
  /** Rises with each change, so that a change cannot overwrite one that it has not seen. */
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
