import type { WebhookTask } from '../../src/jobs';

export const noWebhooks: WebhookTask = {
  run: async () => false,
  changed: () => undefined,
  onWake: () => undefined,
  ended: async () => undefined,
  stop: async () => undefined,
};
