import type { PredictionMarketClient } from '../../../src/client';
import { consumersPanel } from './consumers';
import { webhooksPanels } from './webhooks';

export function consumersAndWebhooksView({ admin }: PredictionMarketClient): HTMLElement[] {
  return [consumersPanel(admin), ...webhooksPanels(admin)];
}
