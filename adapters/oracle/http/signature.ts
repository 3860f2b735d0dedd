/** The headers of Standard Webhooks (standardwebhooks.com): the resolver checks them with any of its libraries. */
import { createHmac, randomUUID } from 'node:crypto';

export function signatureHeaders(secret: string, body: string, nowMs: number): Record<string, string> {
  const id = `msg_${randomUUID()}`;
  const timestamp = String(Math.floor(nowMs / 1000));
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
}
