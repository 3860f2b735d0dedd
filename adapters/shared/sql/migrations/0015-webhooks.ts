/**
 * Webhooks, and the newest attempts to deliver to each webhook. `events`, `secrets`, `lost` and `details` are
 * JSON. Ids are not used again, because a client may still know the id of a removed webhook.
 */
import type { Dialect } from '../dialect';

export function webhooksSchema({ table, ddl }: Dialect): string[] {
  const { integer, text } = ddl;
  return [
    `CREATE TABLE ${table('webhooks')} (
      id ${ddl.identity}, url ${text} NOT NULL, description ${text}, events ${text} NOT NULL, secrets ${text} NOT NULL,
      status ${text} NOT NULL CHECK (status IN ('enabled', 'disabled')), disabled_reason ${text},
      seq ${integer} NOT NULL, failures ${integer} NOT NULL, failing_since ${integer}, next_attempt_at ${integer},
      lost ${text}, revision ${integer} NOT NULL, created_at ${integer} NOT NULL, updated_at ${integer} NOT NULL
    ) ${ddl.heapTable}`,
    `CREATE TABLE ${table('webhook_deliveries')} (
      id ${ddl.identity}, webhook_id ${integer} NOT NULL, epoch ${text} NOT NULL, seq ${integer} NOT NULL,
      event ${text}, attempt ${integer} NOT NULL,
      outcome ${text} NOT NULL CHECK (outcome IN ('delivered', 'failed', 'lost')),
      attempted_at ${integer} NOT NULL, duration ${integer} NOT NULL, response_status ${integer}, details ${text} NOT NULL
    ) ${ddl.heapTable}`,
    `CREATE INDEX webhook_deliveries_newest ON ${table('webhook_deliveries')} (webhook_id, id)`,
  ];
}
