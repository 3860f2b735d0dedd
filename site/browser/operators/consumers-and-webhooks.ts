/** Consumers and webhooks: up to which fact each has come, and what is wrong. */
import type { PredictionMarketClient } from '../../../src/client';
import { consumersPanel } from './consumers';
import { webhooksPanels } from './webhooks';

export function consumersAndWebhooksView({ admin }: PredictionMarketClient): HTMLElement[] {
  return [consumersPanel(admin), ...webhooksPanels(admin)];
}
