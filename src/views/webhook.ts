import type { EventPosition } from '../domain/event-position';
import {
  activeSecrets,
  type DeliveryOutcome,
  type SeqRange,
  type Webhook,
  type WebhookDelivery,
  type WebhookEvent,
  type WebhookStatus,
} from '../domain/webhooks';
import { isoTime, isoTimeOrNull } from './format';

export interface WebhookView {
  /** The number of the webhook. */
  id: number;
  /** Where the facts are sent. */
  url: string;
  /** What an operator wrote about it. */
  description: string | null;
  /** The kinds of facts that are sent. */
  events: WebhookEvent[];
  /** Nothing is sent to a disabled webhook. */
  status: WebhookStatus;
  /** Why nothing is sent any more. */
  disabledReason: string | null;
  /** The next fact to deliver has a higher `seq`. */
  position: EventPosition;
  /** How many facts there are after the position. */
  behind: number;
  /** Attempts in a row that failed. */
  failures: number;
  /** When the first of these attempts was made, ISO 8601. */
  failingSince: string | null;
  /** When the next attempt is made, while enabled, ISO 8601; null: at once. */
  nextAttemptAt: string | null;
  /** Facts that were removed by age before they were delivered. */
  lost: SeqRange | null;
  /** When each secret that was replaced stops signing, ISO 8601. */
  oldSecretsUntil: string[];
  /** When it was made, ISO 8601. */
  createdAt: string;
  /** When it last changed, ISO 8601. */
  updatedAt: string;
}

export interface WebhookListView {
  webhooks: WebhookView[];
  /** How many rows there are on all pages together. */
  total: number;
  /** How many rows a page has at most. */
  limit: number;
  /** How many rows before this page were skipped. */
  offset: number;
}

/** The answer to the creation of a webhook and to a new secret. No other answer shows a secret of a webhook. */
export interface WebhookWithSecretView extends WebhookView {
  /** Shown in this answer only; whsec_ and base64. */
  secret: string;
}

export interface RemovedWebhookView {
  /** The number of the webhook. */
  id: number;
  removed: true;
}

export interface WebhookDeliveryView {
  /** The number of the attempt. */
  id: number;
  /** The header `webhook-id`. */
  messageId: string;
  /** The number of the fact. */
  seq: number;
  /** The kind of the fact; null: the row is about facts that were lost. */
  type: WebhookEvent | null;
  /** How many attempts to deliver the fact there were, with this attempt; 0 for lost facts. */
  attempt: number;
  /** lost: the fact was removed by age before it was delivered. */
  outcome: DeliveryOutcome;
  /** When it was sent, ISO 8601. */
  attemptedAt: string;
  /** How long the attempt took, in milliseconds. */
  durationMs: number;
  /** null: there was no answer. */
  responseStatus: number | null;
  /** The beginning of the answer. */
  responseBody: string | null;
  /** Why the attempt failed; null if the fact was taken. */
  error: string | null;
}

export interface WebhookDeliveryListView {
  deliveries: WebhookDeliveryView[];
  /** How many rows there are on all pages together. */
  total: number;
  /** How many rows a page has at most. */
  limit: number;
  /** How many rows before this page were skipped. */
  offset: number;
}

/** The header `webhook-id` of a fact. It is the same each time that the fact is sent. */
export function messageIdOf({ epoch, seq }: EventPosition): string {
  return `${epoch}:${seq}`;
}

/** `newest` is the position of the newest fact. */
export function webhookView(webhook: Webhook, newest: EventPosition, now: number): WebhookView {
  const { id, url, description, events, status, disabledReason, seq, failures, lost } = webhook;
  return {
    id,
    url,
    description,
    events: [...events],
    status,
    disabledReason,
    position: { epoch: newest.epoch, seq },
    behind: Math.max(newest.seq - seq, 0),
    failures,
    failingSince: isoTimeOrNull(webhook.failingSince),
    nextAttemptAt: isoTimeOrNull(webhook.nextAttemptAt),
    lost: lost === null ? null : { ...lost },
    oldSecretsUntil: activeSecrets(webhook, now).flatMap(({ until }) =>
      until === null ? [] : [isoTime(until)],
    ),
    createdAt: isoTime(webhook.createdAt),
    updatedAt: isoTime(webhook.updatedAt),
  };
}

export function webhookDeliveryView(delivery: WebhookDelivery): WebhookDeliveryView {
  const { id, epoch, seq, event, attempt, outcome, attemptedAt, durationMs } = delivery;
  const { responseStatus, responseBody, error } = delivery;
  return {
    id,
    messageId: messageIdOf({ epoch, seq }),
    seq,
    type: event,
    attempt,
    outcome,
    attemptedAt: isoTime(attemptedAt),
    durationMs,
    responseStatus,
    responseBody,
    error,
  };
}
