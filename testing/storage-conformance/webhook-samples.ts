/** Complete and plausible webhooks and deliveries. A test can replace each field. */
import type { NewWebhook, NewWebhookDelivery } from '../../src/ports/storage';
import { NOW } from './samples';

export const sampleWebhook = (fields: Partial<NewWebhook> = {}): NewWebhook => ({
  url: 'https://receiver.test/hooks?token=1',
  description: null,
  events: ['trade', 'market.created'],
  secrets: [{ secret: 'whsec_bmV3', until: null }],
  status: 'enabled',
  disabledReason: null,
  seq: 5,
  failures: 0,
  failingSince: null,
  nextAttemptAt: null,
  lost: null,
  revision: 1,
  createdAt: NOW,
  updatedAt: NOW,
  ...fields,
});

export const sampleDelivery = (fields: Partial<NewWebhookDelivery> = {}): NewWebhookDelivery => ({
  epoch: 'epoch-1',
  seq: 6,
  event: 'trade',
  attempt: 1,
  outcome: 'delivered',
  attemptedAt: NOW,
  durationMs: 12,
  responseStatus: 204,
  responseBody: '',
  error: null,
  ...fields,
});
