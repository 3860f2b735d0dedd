/**
 * The headers of Standard Webhooks (standardwebhooks.com). The receiver checks them with a library of Standard
 * Webhooks.
 */
import { Webhook } from 'standardwebhooks';

export interface SignedMessage {
  /**
   * The id of the message. It is the same each time that the message is sent, and the receiver recognises
   * repetitions by it.
   */
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
