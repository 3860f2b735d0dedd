/** What webhooks tell of a fact: at most one message, with the data that its public channel carries. */
import type { AnyPublishedEvent } from '../domain/events';
import { WEBHOOK_EVENTS, type WebhookEvent } from '../domain/webhooks';

export interface WebhookMessage {
  event: WebhookEvent;
  /** JSON. */
  body: string;
}

/** `events`: everything that one fact became. `null`: webhooks are not told of such a fact. */
export function webhookMessage(events: readonly AnyPublishedEvent[]): WebhookMessage | null {
  for (const { event, ts, seq, marketSeq, data } of events) {
    const known = WEBHOOK_EVENTS.find((name) => name === event);
    if (known !== undefined) {
      const body = JSON.stringify({ type: known, timestamp: ts, data: { ...data, seq, marketSeq } });
      return { event: known, body };
    }
  }
  return null;
}
