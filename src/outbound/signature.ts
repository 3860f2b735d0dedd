/** The headers of Standard Webhooks (standardwebhooks.com): the receiver checks them with any of its libraries. */
import { Webhook } from 'standardwebhooks';

export interface SignedMessage {
  /** The same each time that the message is sent. The receiver knows repetitions by it. */
  id: string;
  body: string;
  /** Each as `whsec_` and base64. The receiver needs one of them. */
  secrets: readonly string[];
  /** When it is sent, in milliseconds since the epoch. */
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
