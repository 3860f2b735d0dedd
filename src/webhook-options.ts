/** The option `webhooks` of `createPredictionMarket` and its defaults. */
import { flag, integerBetween, nested, optional, type Check } from './domain/options';

export interface WebhookOptions {
  /** How many webhooks there may be: 1 to 100. Default 20. */
  limit?: number | undefined;
  /**
   * Whether webhooks may go to addresses that are not public (this machine, the local network), and to
   * addresses without TLS. Default false.
   */
  allowPrivate?: boolean | undefined;
}

export type WebhookConfig = Required<WebhookOptions>;

export const webhookCheck: Check = optional(
  nested<WebhookOptions>({ limit: optional(integerBetween(1, 100)), allowPrivate: optional(flag) }),
);

export function webhookConfig({ limit = 20, allowPrivate = false }: WebhookOptions = {}): WebhookConfig {
  return { limit, allowPrivate };
}
