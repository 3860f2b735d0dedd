import Joi from 'joi';
import { DELIVERY_OUTCOMES, WEBHOOK_EVENTS, WEBHOOK_STATUSES } from '../domain/webhooks';
import { count, id, instant, nullableInstant, nullableText, oneOf, page, text } from './fields.schema';
import type {
  RemovedWebhookView,
  WebhookDeliveryListView,
  WebhookDeliveryView,
  WebhookListView,
  WebhookView,
  WebhookWithSecretView,
} from './webhook';

const fields: Joi.StrictSchemaMap<WebhookView> = {
  id: id(),
  url: text(),
  description: nullableText(),
  events: Joi.array().items(oneOf(WEBHOOK_EVENTS)).required(),
  status: oneOf(WEBHOOK_STATUSES),
  disabledReason: nullableText().description('Why nothing is sent any more'),
  position: Joi.object({ epoch: text(), seq: count() })
    .required()
    .description('The next fact to deliver has a higher seq'),
  behind: count().description('How many facts there are after the position'),
  failures: count().description('Attempts in a row that failed'),
  failingSince: nullableInstant('When the first of these attempts was made'),
  nextAttemptAt: nullableInstant('When the next attempt is made, while enabled; null: at once'),
  lost: Joi.object({ from: id(), to: id() })
    .allow(null)
    .required()
    .description('Facts that were removed by age before they were delivered'),
  oldSecretsUntil: Joi.array().items(instant('When a secret that was replaced stops signing')).required(),
  createdAt: instant('When it was made'),
  updatedAt: instant('When it last changed'),
};

export const webhook = Joi.object<WebhookView, true>(fields);
export const webhookWithSecret = Joi.object<WebhookWithSecretView, true>({
  ...fields,
  secret: text().description('Shown in this answer only; whsec_ and base64'),
});
export const removedWebhook = Joi.object<RemovedWebhookView, true>({
  id: id(),
  removed: Joi.boolean().valid(true).required(),
});
export const webhookList = Joi.object<WebhookListView, true>({
  webhooks: Joi.array().items(webhook).required(),
  ...page,
});

export const webhookDelivery = Joi.object<WebhookDeliveryView, true>({
  id: id(),
  messageId: text().description('The header webhook-id'),
  seq: id(),
  type: oneOf(WEBHOOK_EVENTS).allow(null).description('null: of facts that were lost'),
  attempt: count().description('Counts the attempts with this fact from 1'),
  outcome: oneOf(DELIVERY_OUTCOMES),
  attemptedAt: instant('When it was sent'),
  durationMs: count(),
  responseStatus: Joi.number().integer().allow(null).required().description('null: there was no answer'),
  responseBody: nullableText().description('The beginning of the answer'),
  error: nullableText(),
});
export const webhookDeliveryList = Joi.object<WebhookDeliveryListView, true>({
  deliveries: Joi.array().items(webhookDelivery).required(),
  ...page,
});
