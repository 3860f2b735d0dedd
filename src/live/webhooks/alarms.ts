import type { Webhook } from '../../domain/webhooks';
import type { Alarms } from '../../usecases/alarms';

/**
 * Reports the alarms of webhooks that are disabled or have lost facts. `oldest` is the number of the oldest
 * stored fact, or `null` if no webhook is disabled or no fact is stored.
 */
export function reportWebhooks(alarms: Alarms, webhooks: readonly Webhook[], oldest: number | null): void {
  alarms.report(
    'webhook',
    webhooks.flatMap((webhook) => {
      const reasons = reasonsOf(webhook, oldest);
      return reasons.length === 0 ? [] : [{ subject: `webhook ${webhook.id}`, reason: reasons.join('; ') }];
    }),
  );
}

function reasonsOf({ status, disabledReason, lost, seq }: Webhook, oldest: number | null): string[] {
  const reasons: string[] = [];
  if (status === 'disabled') {
    reasons.push(`disabled: ${disabledReason ?? ''}`);
    if (oldest !== null && oldest > seq + 1)
      reasons.push(`facts ${seq + 1} to ${oldest - 1} were removed because of their age`);
  }
  if (lost !== null) reasons.push(`facts ${lost.from} to ${lost.to} were removed before they were delivered`);
  return reasons;
}
