/** What the service sends to webhooks, as OpenAPI 3.1 describes it. */
import { WEBHOOK_EVENTS, type WebhookEvent } from '../../domain/webhooks';
import { webhookMessages } from '../../events/webhook.schema';
import { webhookExampleOf } from './examples';
import type { Operation, Parameter } from './operation';
import { jsonSchemaOf } from './schema';

const SUMMARIES: Record<WebhookEvent, string> = {
  'market.created': 'A market was created',
  'market.resolving': 'Trading has ended, and the outcome is looked for',
  'market.proposed': 'An outcome is proposed',
  'market.escalated': 'Operators have to decide the outcome',
  'market.resolved': 'The outcome was decided',
  trade: 'A trade was executed',
  'creator.updated': 'A wallet has applied as a creator, or operators have decided about a creator',
};

const header = (name: string, description: string): Parameter => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
});

const HEADERS: Parameter[] = [
  header('webhook-id', '`<epoch>:<seq>` of the fact. It is the same each time that the message is sent'),
  header('webhook-timestamp', 'When the message was sent, in Unix seconds'),
  header('webhook-signature', 'One or more signatures of Standard Webhooks, with spaces between'),
];

export function webhookOperations(): Record<WebhookEvent, { post: Operation }> {
  const entries = WEBHOOK_EVENTS.map((event) => [event, { post: operationOf(event) }]);
  return Object.fromEntries(entries) as Record<WebhookEvent, { post: Operation }>;
}

function operationOf(event: WebhookEvent): Operation {
  const schema = jsonSchemaOf(webhookMessages[event]);
  return {
    operationId: `webhook:${event}`,
    summary: SUMMARIES[event],
    tags: [],
    security: [],
    parameters: HEADERS,
    requestBody: {
      required: true,
      content: { 'application/json': { schema, example: webhookExampleOf(event).body } },
    },
    responses: {
      '2XX': { description: 'The receiver has taken the message' },
      '410': { description: 'The receiver wants no more messages: the webhook is disabled' },
      default: { description: 'The message is sent again later' },
    },
  };
}
