/** The headers of Standard Webhooks (standardwebhooks.com). */
import { Webhook } from 'standardwebhooks';

export interface SignedMessage {
  /** The id of the message, by which the receiver recognises repetitions. */
  id: string;
  body: string;
  /** The secrets, each as `whsec_` and base64. The receiver needs one of them. */
  secrets: readonly string[];
  /** When the message is sent, in milliseconds since the epoch. */
  sentAt: number;
}

export function signatureHeaders({ id, body, secrets, sentAt }: SignedMessage): Record<string, string> {
  const sent = new Date(sentAt);
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(sentAt / 1000)),
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(id, sent, body)).join(' '),
  };
}
