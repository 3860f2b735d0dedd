import type { IdempotencyRecord, IdempotencyRepository } from '../../../../src/ports/storage';
import { integer, text } from '../row-columns';
import type { Dialect } from '../dialect';
import { failureKind, RerunTransaction } from '../driver-errors';
import { encodeRows, type Row, type Session } from '../session';

function statements(dialect: Dialect) {
  const table = dialect.table('idempotency');
  const names = 'wallet, idempotency_key, request_hash, answer, created_at';
  return {
    find: `WITH ${dialect.rows({ wallet: 'text', idempotency_key: 'text' })}
      SELECT i.wallet, i.idempotency_key, i.request_hash, i.answer, i.created_at
      FROM (SELECT DISTINCT wallet, idempotency_key FROM r) AS wanted
      JOIN ${table} i ON i.wallet = wanted.wallet AND i.idempotency_key = wanted.idempotency_key`,
    insert: `WITH ${dialect.rows({
      wallet: 'text',
      idempotency_key: 'text',
      request_hash: 'text',
      answer: 'text',
      created_at: 'integer',
    })} INSERT INTO ${table} (${names}) SELECT ${names} FROM r ORDER BY wallet, idempotency_key`,
    deleteBefore: `DELETE FROM ${table} WHERE (wallet, idempotency_key) IN (
      SELECT wallet, idempotency_key FROM ${table} WHERE created_at < $1 ORDER BY created_at LIMIT $2
    ) RETURNING wallet`,
  };
}

export function idempotencyRepository(dialect: Dialect): (session: Session) => IdempotencyRepository {
  const sql = statements(dialect);

  return (session) => ({
    async find(keys) {
      if (keys.length === 0) return [];
      const rows = keys.map(({ wallet, key }) => [wallet, key]);
      return (await session.query(sql.find, [encodeRows(rows)])).map(toRecord);
    },
    async insert(records) {
      if (records.length === 0) return;
      const rows = records.map(({ wallet, key, requestHash, answer, createdAt }) => [
        wallet,
        key,
        requestHash,
        answer,
        createdAt,
      ]);
      try {
        await session.query(sql.insert, [encodeRows(rows)]);
      } catch (error) {
        if (failureKind(error) !== 'unique') throw error;
        throw new RerunTransaction('an idempotency key was taken meanwhile', { cause: error });
      }
    },
    async deleteBefore(createdBefore, limit) {
      return (await session.query(sql.deleteBefore, [createdBefore, limit])).length;
    },
  });
}

function toRecord(row: Row): IdempotencyRecord {
  return {
    wallet: text(row, 'wallet'),
    key: text(row, 'idempotency_key'),
    requestHash: text(row, 'request_hash'),
    answer: text(row, 'answer'),
    createdAt: integer(row, 'created_at'),
  };
}
