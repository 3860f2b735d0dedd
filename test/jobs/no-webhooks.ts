import type { WebhookTask } from '../../src/jobs';

/** A task that does nothing, for tests of other jobs. */
export const noWebhooks: WebhookTask = {
  run: async () => false,
  changed: () => undefined,
  onWake: () => undefined,
  ended: async () => undefined,
  stop: async () => undefined,
};
