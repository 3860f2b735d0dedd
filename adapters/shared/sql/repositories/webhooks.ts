import {
  DELIVERY_OUTCOMES,
  WEBHOOK_STATUSES,
  type SeqRange,
  type Webhook,
  type WebhookDelivery,
  type WebhookEvent,
  type WebhookSecret,
} from '../../../../src/domain/webhooks';
import type { NewWebhook, NewWebhookDelivery, WebhookRepository } from '../../../../src/ports/storage';
import { choice, integer, optionalInteger, optionalText, text } from '../row-columns';
import type { ColumnType, Dialect } from '../dialect';
import { encodeRows, type Cell, type Row, type Session } from '../session';

const CHANGEABLE = {
  url: 'text',
  description: 'text',
  events: 'text',
  secrets: 'text',
  status: 'text',
  disabled_reason: 'text',
  seq: 'integer',
  failures: 'integer',
  failing_since: 'integer',
  next_attempt_at: 'integer',
  lost: 'text',
  revision: 'integer',
  updated_at: 'integer',
} as const satisfies Record<string, ColumnType>;

const DELIVERY = {
  webhook_id: 'integer',
  epoch: 'text',
  seq: 'integer',
  event: 'text',
  attempt: 'integer',
  outcome: 'text',
  attempted_at: 'integer',
  duration: 'integer',
  response_status: 'integer',
  details: 'text',
} as const satisfies Record<string, ColumnType>;

function statements(dialect: Dialect) {
  const webhooks = dialect.table('webhooks');
  const deliveries = dialect.table('webhook_deliveries');
  const changeable = Object.keys(CHANGEABLE);
  const given = [...changeable, 'created_at'].join(', ');
  const delivery = Object.keys(DELIVERY).join(', ');
  const select = `SELECT id, ${given} FROM ${webhooks}`;
  return {
    find: `${select} WHERE id = $1`,
    lock: `${select} WHERE id = $1 ${dialect.forUpdate}`,
    list: `${select} ORDER BY id LIMIT $1 OFFSET $2`,
    count: `SELECT count(*) AS total FROM ${webhooks}`,
    insert: `WITH ${dialect.rows({ ...CHANGEABLE, created_at: 'integer' })}
      INSERT INTO ${webhooks} (${given}) SELECT ${given} FROM r WHERE true RETURNING id`,
    update: `WITH ${dialect.rows({ wanted: 'integer', ...CHANGEABLE })} UPDATE ${webhooks} AS w
      SET ${changeable.map((name) => `${name} = r.${name}`).join(', ')} FROM r WHERE w.id = r.wanted RETURNING id`,
    delete: `DELETE FROM ${webhooks} WHERE id = $1 RETURNING id`,
    deleteDeliveries: `DELETE FROM ${deliveries} WHERE webhook_id = $1`,
    listDeliveries: `SELECT id, ${delivery} FROM ${deliveries} WHERE webhook_id = $1
      ORDER BY id DESC LIMIT $2 OFFSET $3`,
    countDeliveries: `SELECT count(*) AS total FROM ${deliveries} WHERE webhook_id = $1`,
    addDeliveries: `WITH ${dialect.rows(DELIVERY)} INSERT INTO ${deliveries} (${delivery})
      SELECT ${delivery} FROM r WHERE true ORDER BY line`,
    pruneDeliveries: `DELETE FROM ${deliveries} WHERE webhook_id = $1 AND id <= (
        SELECT id FROM ${deliveries} WHERE webhook_id = $1 ORDER BY id DESC LIMIT 1 OFFSET $2
      )`,
  };
}

export function webhookRepository(dialect: Dialect): (session: Session) => WebhookRepository {
  const sql = statements(dialect);

  return (session) => {
    async function one(statement: string, id: number): Promise<Webhook | null> {
      const [row] = await session.query(statement, [id]);
      return row === undefined ? null : toWebhook(row);
    }
    async function total(statement: string, bind: readonly number[] = []): Promise<number> {
      const [row] = await session.query(statement, bind);
      return row === undefined ? 0 : integer(row, 'total');
    }
    return {
      find: (id) => one(sql.find, id),
      lock: (id) => one(sql.lock, id),
      async list({ limit, offset }) {
        const rows = await session.query(sql.list, [limit, offset]);
        return { webhooks: rows.map(toWebhook), total: await total(sql.count) };
      },
      async listDeliveries({ webhookId, limit, offset }) {
        const rows = await session.query(sql.listDeliveries, [webhookId, limit, offset]);
        return { deliveries: rows.map(toDelivery), total: await total(sql.countDeliveries, [webhookId]) };
      },
      async insert(webhook) {
        const [row] = await session.query(sql.insert, [
          encodeRows([[...cellsOf(webhook), webhook.createdAt]]),
        ]);
        if (row === undefined) throw new Error('a webhook was inserted without an id');
        return { ...webhook, id: integer(row, 'id') };
      },
      async update(webhook) {
        const written = await session.query(sql.update, [encodeRows([[webhook.id, ...cellsOf(webhook)]])]);
        if (written.length === 0) throw new Error(`webhook ${webhook.id} does not exist`);
      },
      async delete(id) {
        await session.query(sql.deleteDeliveries, [id]);
        return (await session.query(sql.delete, [id])).length > 0;
      },
      async addDeliveries(webhookId, deliveries, keep) {
        const rows = deliveries.map((delivery) => deliveryCells(webhookId, delivery));
        if (rows.length > 0) await session.query(sql.addDeliveries, [encodeRows(rows)]);
        await session.query(sql.pruneDeliveries, [webhookId, keep]);
      },
    };
  };
}

/** The values of a webhook's columns, in the order of `CHANGEABLE`. */
function cellsOf(webhook: NewWebhook): Cell[] {
  const { url, description, events, secrets, status, disabledReason, seq, failures } = webhook;
  const { failingSince, nextAttemptAt, lost, revision, updatedAt } = webhook;
  return [
    url,
    description,
    JSON.stringify(events),
    JSON.stringify(secrets),
    status,
    disabledReason,
    seq,
    failures,
    failingSince,
    nextAttemptAt,
    lost === null ? null : JSON.stringify(lost),
    revision,
    updatedAt,
  ];
}

function toWebhook(row: Row): Webhook {
  const lost = optionalText(row, 'lost');
  return {
    id: integer(row, 'id'),
    url: text(row, 'url'),
    description: optionalText(row, 'description'),
    events: JSON.parse(text(row, 'events')) as WebhookEvent[],
    secrets: JSON.parse(text(row, 'secrets')) as WebhookSecret[],
    status: choice(row, 'status', WEBHOOK_STATUSES),
    disabledReason: optionalText(row, 'disabled_reason'),
    seq: integer(row, 'seq'),
    failures: integer(row, 'failures'),
    failingSince: optionalInteger(row, 'failing_since'),
    nextAttemptAt: optionalInteger(row, 'next_attempt_at'),
    lost: lost === null ? null : (JSON.parse(lost) as SeqRange),
    revision: integer(row, 'revision'),
    createdAt: integer(row, 'created_at'),
    updatedAt: integer(row, 'updated_at'),
  };
}

type Details = Pick<WebhookDelivery, 'responseBody' | 'error'>;

function deliveryCells(webhookId: number, delivery: NewWebhookDelivery): Cell[] {
  const { epoch, seq, event, attempt, outcome, attemptedAt, durationMs, responseStatus } = delivery;
  // Both texts are stored as JSON. They may contain characters that a database refuses, and JSON escapes
  // these.
  const details: Details = { responseBody: delivery.responseBody, error: delivery.error };
  const columns = [epoch, seq, event, attempt, outcome, attemptedAt, durationMs, responseStatus];
  return [webhookId, ...columns, JSON.stringify(details)];
}

function toDelivery(row: Row): WebhookDelivery {
  return {
    id: integer(row, 'id'),
    webhookId: integer(row, 'webhook_id'),
    epoch: text(row, 'epoch'),
    seq: integer(row, 'seq'),
    event: optionalText(row, 'event') as WebhookEvent | null,
    attempt: integer(row, 'attempt'),
    outcome: choice(row, 'outcome', DELIVERY_OUTCOMES),
    attemptedAt: integer(row, 'attempted_at'),
    durationMs: integer(row, 'duration'),
    responseStatus: optionalInteger(row, 'response_status'),
    ...(JSON.parse(text(row, 'details')) as Details),
  };
}
