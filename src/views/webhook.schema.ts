import Joi from 'joi';
import { DELIVERY_OUTCOMES, WEBHOOK_EVENTS, WEBHOOK_STATUSES } from '../domain/webhooks';
import {
  count,
  id,
  instant,
  nullableInstant,
  nullableText,
  oneOf,
  page,
  positionFields,
  text,
} from './fields.schema';
import type {
  RemovedWebhookView,
  WebhookDeliveryListView,
  WebhookDeliveryView,
  WebhookListView,
  WebhookView,
  WebhookWithSecretView,
} from './webhook';

const webhookId = (): Joi.NumberSchema => id('The number of the webhook');

const fields: Joi.StrictSchemaMap<WebhookView> = {
  id: webhookId(),
  url: text().description('Where the facts are sent'),
  description: nullableText().description('What an operator wrote about it'),
  events: Joi.array().items(oneOf(WEBHOOK_EVENTS)).required().description('The kinds of facts that are sent'),
  status: oneOf(WEBHOOK_STATUSES).description('Nothing is sent to a disabled webhook'),
  disabledReason: nullableText().description('Why nothing is sent any more'),
  position: Joi.object(positionFields).required().description('The next fact to deliver has a higher `seq`'),
  behind: count('How many facts there are after the position'),
  failures: count('Attempts in a row that failed'),
  failingSince: nullableInstant('When the first of these attempts was made'),
  nextAttemptAt: nullableInstant('When the next attempt is made, while enabled; null: at once'),
  lost: Joi.object({
    from: id('The number of the first such fact'),
    to: id('The number of the last such fact'),
  })
    .allow(null)
    .required()
    .description('Facts that were removed by age before they were delivered'),
  oldSecretsUntil: Joi.array()
    .items(instant('When a secret that was replaced stops signing'))
    .required()
    .description('When each secret that was replaced stops signing, ISO 8601'),
  createdAt: instant('When it was made'),
  updatedAt: instant('When it last changed'),
};

export const webhook = Joi.object<WebhookView, true>(fields);
export const webhookWithSecret = Joi.object<WebhookWithSecretView, true>({
  ...fields,
  secret: text().description('Shown in this answer only; whsec_ and base64'),
});
export const removedWebhook = Joi.object<RemovedWebhookView, true>({
  id: webhookId(),
  removed: Joi.boolean().valid(true).required(),
});
export const webhookList = Joi.object<WebhookListView, true>({
  webhooks: Joi.array().items(webhook).required(),
  ...page,
});

export const webhookDelivery = Joi.object<WebhookDeliveryView, true>({
  id: id('The number of the attempt'),
  messageId: text().description('The header `webhook-id`'),
  seq: id('The number of the fact'),
  type: oneOf(WEBHOOK_EVENTS)
    .allow(null)
    .description('The kind of the fact; null: the row is about facts that were lost'),
  attempt: count('How many attempts to deliver the fact there were, with this attempt; 0 for lost facts'),
  outcome: oneOf(DELIVERY_OUTCOMES).description('lost: the fact was removed by age before it was delivered'),
  attemptedAt: instant('When it was sent'),
  durationMs: count('How long the attempt took, in milliseconds'),
  responseStatus: Joi.number().integer().allow(null).required().description('null: there was no answer'),
  responseBody: nullableText().description('The beginning of the answer'),
  error: nullableText().description('Why the attempt failed; null if the fact was taken'),
});
export const webhookDeliveryList = Joi.object<WebhookDeliveryListView, true>({
  deliveries: Joi.array().items(webhookDelivery).required(),
  ...page,
});
