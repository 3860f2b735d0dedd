import {
  PAYMENT_STATUSES,
  type PaymentDecision,
  type PaymentKey,
  type PaymentRecord,
  type StoredAnswer,
} from '../../../../src/domain/payments';
import { LONGEST_LEASE_MS, type NewPayment, type PaymentRepository } from '../../../../src/ports/storage';
import { choice, integer, micros, optionalInteger, optionalText, text } from '../row-columns';
import type { ColumnType, Dialect } from '../dialect';
import { encodeIds, encodeRows, type Cell, type Row, type Session } from '../session';

/** The columns that never change after the claim. */
const CLAIM: Record<string, ColumnType> = {
  asset: 'text',
  payer: 'text',
  nonce: 'text',
  amount: 'integer',
  operation: 'text',
  fingerprint: 'text',
  created_at: 'integer',
};
const LIFE: Record<string, ColumnType> = {
  status: 'text',
  payment: 'text',
  command: 'text',
  settled_by: 'text',
  answer: 'text',
  reason: 'text',
  updated_at: 'integer',
  lease_until: 'integer',
  lease_token: 'integer',
  due_at: 'integer',
  attempts: 'integer',
  decision: 'text',
};
const names = (columns: Record<string, ColumnType>): string => Object.keys(columns).join(', ');

function statements(dialect: Dialect) {
  const table = dialect.table('payments');
  const plain = Object.keys({ ...CLAIM, ...LIFE }).filter((name) => name !== 'amount');
  const select = `SELECT id, ${plain.join(', ')}, ${dialect.exact('amount')} AS amount FROM ${table}`;
  const whole = { ...CLAIM, ...LIFE };
  const assignments = Object.keys(LIFE).map((name) => `${name} = r.${name}`);
  return {
    find: `${select} WHERE asset = $1 AND payer = $2 AND nonce = $3`,
    lock: `${select} WHERE id = $1 ${dialect.forUpdate}`,
    listAll: `${select} ORDER BY id DESC LIMIT $1 OFFSET $2`,
    listByStatus: `${select} WHERE status = $3 ORDER BY id DESC LIMIT $1 OFFSET $2`,
    backlog: `SELECT status, count(*) AS payments, min(created_at) AS oldest FROM (
      SELECT status, created_at FROM ${table} WHERE due_at IS NOT NULL ORDER BY due_at, id LIMIT $1
    ) AS due GROUP BY status`,
    insert: `WITH ${dialect.rows(whole)} INSERT INTO ${table} (${names(whole)}) SELECT ${names(whole)} FROM r WHERE true
      ON CONFLICT (asset, payer, nonce) DO NOTHING RETURNING id`,
    update: `WITH ${dialect.rows({ wanted: 'integer', ...LIFE })} UPDATE ${table} AS p SET ${assignments.join(', ')}
      FROM r WHERE p.id = r.wanted RETURNING id`,
    delete: `DELETE FROM ${table} WHERE id = $1`,
    due: `${select} WHERE due_at <= $1 ORDER BY due_at, id LIMIT $2 ${dialect.forUpdateSkipLocked}`,
    stray: `${select} WHERE due_at > $1 AND lease_until > $1 ORDER BY due_at, id LIMIT $2 ${dialect.forUpdateSkipLocked}`,
    lease: `UPDATE ${table} SET due_at = $2, lease_until = $2, lease_token = lease_token + 1
      WHERE ${dialect.among('id', 'integer')}`,
    deleteRejected: `DELETE FROM ${table} WHERE id IN (
      SELECT id FROM ${table} WHERE status = 'rejected' AND decision IS NULL AND updated_at < $1 ORDER BY updated_at, id LIMIT $2
    ) RETURNING id`,
  };
}

export function paymentRepository(dialect: Dialect): (session: Session) => PaymentRepository {
  const sql = statements(dialect);

  return (session) => ({
    async find({ asset, payer, nonce }: PaymentKey) {
      const [row] = await session.query(sql.find, [asset, payer, nonce]);
      return row === undefined ? null : toPayment(row);
    },
    async lock(id) {
      const [row] = await session.query(sql.lock, [id]);
      return row === undefined ? null : toPayment(row);
    },
    async list({ status, limit, offset }) {
      const rows =
        status === undefined
          ? await session.query(sql.listAll, [limit, offset])
          : await session.query(sql.listByStatus, [limit, offset, status]);
      return rows.map(toPayment);
    },
    async backlog(limit) {
      return (await session.query(sql.backlog, [limit])).map((row) => ({
        status: choice(row, 'status', PAYMENT_STATUSES),
        count: integer(row, 'payments'),
        oldest: integer(row, 'oldest'),
      }));
    },
    async insert(payment) {
      const [row] = await session.query(sql.insert, [
        encodeRows([[...claimCells(payment), ...lifeCells(payment)]]),
      ]);
      return row === undefined ? null : { ...payment, id: integer(row, 'id') };
    },
    async update(payment) {
      const written = await session.query(sql.update, [encodeRows([[payment.id, ...lifeCells(payment)]])]);
      if (written.length === 0) throw new Error(`payment ${payment.id} does not exist`);
    },
    async delete(id) {
      await session.query(sql.delete, [id]);
    },
    async leaseDue({ now, leaseUntil, limit }) {
      const due = (await session.query(sql.due, [now, limit])).map(toPayment);
      const room = limit - due.length;
      if (room > 0) {
        const stray = await session.query(sql.stray, [now + LONGEST_LEASE_MS, room]);
        due.push(...stray.map(toPayment));
      }
      if (due.length === 0) return [];
      await session.query(sql.lease, [encodeIds(due.map(({ id }) => id)), leaseUntil]);
      return due.map((payment) => ({
        ...payment,
        dueAt: leaseUntil,
        leaseUntil,
        leaseToken: payment.leaseToken + 1,
      }));
    },
    async deleteRejected(updatedBefore, limit) {
      return (await session.query(sql.deleteRejected, [updatedBefore, limit])).length;
    },
  });
}

function claimCells(payment: NewPayment): Cell[] {
  const { asset, payer, nonce, amount, operation, fingerprint, createdAt } = payment;
  return [asset, payer, nonce, amount, operation, fingerprint, createdAt];
}

function lifeCells(record: NewPayment): Cell[] {
  const { status, payment, command, transaction, answer, reason, updatedAt } = record;
  const { leaseUntil, leaseToken, dueAt, attempts, decision } = record;
  return [
    status,
    payment,
    command,
    transaction,
    asJson(answer),
    reason,
    updatedAt,
    leaseUntil,
    leaseToken,
    dueAt,
    attempts,
    asJson(decision),
  ];
}

function asJson(value: object | null): string | null {
  return value === null ? null : JSON.stringify(value);
}

function toPayment(row: Row): PaymentRecord {
  return {
    id: integer(row, 'id'),
    asset: text(row, 'asset'),
    payer: text(row, 'payer'),
    nonce: text(row, 'nonce'),
    status: choice(row, 'status', PAYMENT_STATUSES),
    amount: micros(row, 'amount'),
    operation: text(row, 'operation'),
    fingerprint: text(row, 'fingerprint'),
    payment: text(row, 'payment'),
    command: text(row, 'command'),
    transaction: optionalText(row, 'settled_by'),
    answer: fromJson<StoredAnswer>(optionalText(row, 'answer')),
    reason: optionalText(row, 'reason'),
    createdAt: integer(row, 'created_at'),
    updatedAt: integer(row, 'updated_at'),
    leaseUntil: integer(row, 'lease_until'),
    leaseToken: integer(row, 'lease_token'),
    dueAt: optionalInteger(row, 'due_at'),
    attempts: integer(row, 'attempts'),
    decision: fromJson<PaymentDecision>(optionalText(row, 'decision')),
  };
}

function fromJson<T>(json: string | null): T | null {
  return json === null ? null : (JSON.parse(json) as T);
}
