import type { Config } from '../../config';
import {
  createWebhookBody,
  deliveriesQuery,
  replayBody,
  rotateBody,
  webhooksQuery,
} from '../../schemas/webhooks';
import { createWebhook } from '../../usecases/webhooks/create-webhook';
import { enableWebhook } from '../../usecases/webhooks/enable-webhook';
import { listWebhookDeliveries, listWebhooks } from '../../usecases/webhooks/list-webhooks';
import { removeWebhook } from '../../usecases/webhooks/remove-webhook';
import { replayWebhook } from '../../usecases/webhooks/replay-webhook';
import { rotateWebhookSecret } from '../../usecases/webhooks/rotate-webhook-secret';
import { defineRoute, type Route } from '../route';
import { webhookIdParameter } from './parameters';

const ONE = { group: 'admin', param: webhookIdParameter } as const;

export function webhookRoutes({ webhooks }: Pick<Config, 'webhooks'>): Route[] {
  return [
    defineRoute({
      method: 'post',
      path: '/webhooks',
      summary: 'Send facts to an address of yours; the answer shows the secret that signs, once',
      group: 'admin',
      body: createWebhookBody(webhooks.allowPrivate),
      success: { status: 201, view: 'WebhookWithSecret' },
      errors: ['WEBHOOK_LIMIT', 'FACTS_REMOVED'],
      handler: ({ context, body }) => createWebhook(context, body),
    }),
    defineRoute({
      method: 'get',
      path: '/webhooks',
      summary: 'Webhooks by id, without their secrets',
      group: 'admin',
      query: webhooksQuery,
      success: { status: 200, view: 'WebhookList' },
      errors: [],
      handler: ({ context, query }) => listWebhooks(context, query),
    }),
    defineRoute({
      ...ONE,
      method: 'delete',
      path: '/webhooks/:id',
      summary: 'Remove a webhook with its deliveries',
      success: { status: 200, view: 'RemovedWebhook' },
      errors: ['NOT_FOUND'],
      handler: ({ context, param }) => removeWebhook(context, { id: param }),
    }),
    defineRoute({
      ...ONE,
      method: 'get',
      path: '/webhooks/:id/deliveries',
      summary: 'The newest attempts to deliver, newest first',
      query: deliveriesQuery,
      success: { status: 200, view: 'WebhookDeliveryList' },
      errors: ['NOT_FOUND'],
      handler: ({ context, param, query }) => listWebhookDeliveries(context, { ...query, id: param }),
    }),
    ...changingRoutes(),
  ];
}

function changingRoutes(): Route[] {
  return [
    defineRoute({
      ...ONE,
      method: 'post',
      path: '/webhooks/:id/enable',
      summary: 'Go on from where it stood, with an attempt at once',
      description: 'Also says that lost facts were seen.',
      success: { status: 200, view: 'Webhook' },
      errors: ['NOT_FOUND'],
      handler: ({ context, param }) => enableWebhook(context, { id: param }),
    }),
    defineRoute({
      ...ONE,
      method: 'post',
      path: '/webhooks/:id/replay',
      summary: 'Send all facts from a number on, once more or for the first time',
      description: 'A number ahead of the position leaves facts out. A disabled webhook stays disabled.',
      body: replayBody,
      success: { status: 200, view: 'Webhook' },
      errors: ['NOT_FOUND', 'FACTS_REMOVED'],
      handler: ({ context, param, body }) => replayWebhook(context, { ...body, id: param }),
    }),
    defineRoute({
      ...ONE,
      method: 'post',
      path: '/webhooks/:id/rotate',
      summary: 'Make a new secret; older ones sign too until the overlap is over',
      body: rotateBody,
      success: { status: 200, view: 'WebhookWithSecret' },
      errors: ['NOT_FOUND', 'WEBHOOK_LIMIT'],
      handler: ({ context, param, body }) => rotateWebhookSecret(context, { ...body, id: param }),
    }),
  ];
}
