/** The messages that webhooks send: at most one for each fact, with the data of one event. */
import type { AnyPublishedEvent } from '../domain/events';
import { publicCreatorUpdate } from './event-data';
import { WEBHOOK_EVENTS, type WebhookEvent } from '../domain/webhooks';

export interface WebhookMessage {
  event: WebhookEvent;
  body: string;
}

/**
 * The message of a fact. `events` are all events that the fact became. `null`: webhooks get no message of
 * this fact.
 */
export function webhookMessage(events: readonly AnyPublishedEvent[]): WebhookMessage | null {
  for (const published of events) {
    const { event, ts, seq, marketSeq } = published;
    const known = WEBHOOK_EVENTS.find((name) => name === event);
    if (known !== undefined) {
      const data = event === 'creator.updated' ? publicCreatorUpdate(published.data) : published.data;
      const body = JSON.stringify({ type: known, timestamp: ts, data: { ...data, seq, marketSeq } });
      return { event: known, body };
    }
  }
  return null;
}
