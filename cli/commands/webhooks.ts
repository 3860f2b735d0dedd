import type {
  CreateWebhookInput,
  ListWebhookDeliveriesInput,
  ListWebhooksInput,
  ReplayWebhookInput,
  RotateWebhookSecretInput,
  WebhookDeliveryView,
  WebhookInput,
  WebhookView,
  WebhookWithSecretView,
} from 'express-prediction-market';
import { operatorCommand, type OperatorGroup } from '../operator-command';
import { argument, idOf, integer, list, option, PAGE, requiredInteger } from '../operator-fields';

type WebhookEvent = NonNullable<CreateWebhookInput['events']>[number];

const ID = idOf('webhook');
const EVENTS: Record<WebhookEvent, 0> = {
  'market.created': 0,
  'market.resolving': 0,
  'market.proposed': 0,
  'market.escalated': 0,
  'market.resolved': 0,
  trade: 0,
  'creator.updated': 0,
};

export const WEBHOOKS: OperatorGroup = {
  name: 'webhooks',
  description: 'create webhooks and look after them; a running server delivers',
  commands: [
    operatorCommand({
      name: 'list',
      description: 'list the webhooks by id, without their secrets',
      route: 'GET /webhooks',
      field: 'webhooks',
      onDatabase: (market, input: ListWebhooksInput) => market.listWebhooks(input),
      fields: PAGE,
      lines: ({ webhooks, total }) => [...webhooks.map(describe), `${webhooks.length} of ${total}`],
    }),
    operatorCommand({
      name: 'create',
      description: 'send facts to an address; only this answer shows the secret that signs them',
      route: 'POST /webhooks',
      field: 'secret',
      onDatabase: (market, input: CreateWebhookInput, by) => market.createWebhook(input, by),
      fields: {
        url: argument('the address to which facts are sent', 'receiver'),
        events: list('the events that are sent (default: all)', EVENTS),
        seq: integer('the number of the first fact to be sent (default: the next new one)'),
        description: option('a text of your own'),
      },
      lines: withSecret,
    }),
    operatorCommand({
      name: 'remove',
      description: 'remove a webhook with its deliveries',
      route: 'DELETE /webhooks/{id}',
      field: 'removed',
      onDatabase: (market, input: WebhookInput, by) => market.removeWebhook(input, by),
      fields: { id: ID },
      lines: ({ id }) => [`removed webhook ${id}`],
    }),
    operatorCommand({
      name: 'enable',
      description: 'go on at the position of a webhook, with an attempt at once',
      route: 'POST /webhooks/{id}/enable',
      field: 'behind',
      onDatabase: (market, input: WebhookInput, by) => market.enableWebhook(input, by),
      fields: { id: ID },
      lines: (webhook) => [describe(webhook)],
    }),
    operatorCommand({
      name: 'replay',
      description: 'send all facts from a number on, once more or for the first time',
      route: 'POST /webhooks/{id}/replay',
      field: 'behind',
      onDatabase: (market, input: ReplayWebhookInput, by) => market.replayWebhook(input, by),
      fields: { id: ID, seq: requiredInteger('the number of the first fact to be sent') },
      lines: (webhook) => [describe(webhook)],
    }),
    operatorCommand({
      name: 'rotate',
      description: 'make a new secret, which only this answer shows',
      route: 'POST /webhooks/{id}/rotate',
      field: 'secret',
      onDatabase: (market, input: RotateWebhookSecretInput, by) => market.rotateWebhookSecret(input, by),
      fields: {
        id: ID,
        overlapSeconds: integer('for how long the older secrets sign too (default: a day)', 0),
      },
      lines: withSecret,
    }),
    operatorCommand({
      name: 'deliveries',
      description: 'list the attempts to deliver, the newest first',
      route: 'GET /webhooks/{id}/deliveries',
      field: 'deliveries',
      onDatabase: (market, input: ListWebhookDeliveriesInput) => market.listWebhookDeliveries(input),
      fields: { id: ID, ...PAGE },
      lines: ({ deliveries, total }) => [
        ...deliveries.map(describeDelivery),
        `${deliveries.length} of ${total}`,
      ],
    }),
  ],
};

function withSecret({ secret, ...webhook }: WebhookWithSecretView): string[] {
  return [describe(webhook), `secret ${secret}`];
}

function describe({ id, status, url, events, behind, failures, disabledReason, lost }: WebhookView): string {
  const reason = disabledReason === null ? '' : `: ${disabledReason}`;
  const failed = failures === 0 ? '' : `, ${failures} failed attempts in a row`;
  const missed = lost === null ? '' : `, facts ${lost.from} to ${lost.to} are lost`;
  return `${id}  ${status}${reason}  ${url}  ${events.join(',')}  ${behind} facts behind${failed}${missed}`;
}

function describeDelivery(delivery: WebhookDeliveryView): string {
  const { seq, type, attempt, outcome, attemptedAt, responseStatus, error } = delivery;
  const why = error === null ? '' : `  ${error}`;
  return `${seq}  ${type ?? '-'}  attempt ${attempt}  ${outcome}  ${attemptedAt}  status ${responseStatus ?? '-'}${why}`;
}
