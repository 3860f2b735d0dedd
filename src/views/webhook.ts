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
  id: number;
  url: string;
  description: string | null;
  events: WebhookEvent[];
  status: WebhookStatus;
  disabledReason: string | null;
  /** The position. The next fact to deliver has a higher `seq`. */
  position: EventPosition;
  /** How many facts there are after the position. */
  behind: number;
  /** How many attempts in a row have failed. */
  failures: number;
  failingSince: string | null;
  nextAttemptAt: string | null;
  /** Facts that were removed by age before they were delivered. */
  lost: SeqRange | null;
  /** When the replaced secrets stop signing. */
  oldSecretsUntil: string[];
  createdAt: string;
  updatedAt: string;
}

export interface WebhookListView {
  webhooks: WebhookView[];
  total: number;
  limit: number;
  offset: number;
}

/** The answer that shows a secret. No other answer shows one. */
export interface WebhookWithSecretView extends WebhookView {
  secret: string;
}

export interface RemovedWebhookView {
  id: number;
  removed: true;
}

export interface WebhookDeliveryView {
  id: number;
  /** The header `webhook-id`. */
  messageId: string;
  seq: number;
  type: WebhookEvent | null;
  attempt: number;
  outcome: DeliveryOutcome;
  attemptedAt: string;
  durationMs: number;
  responseStatus: number | null;
  responseBody: string | null;
  error: string | null;
}

export interface WebhookDeliveryListView {
  deliveries: WebhookDeliveryView[];
  total: number;
  limit: number;
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
