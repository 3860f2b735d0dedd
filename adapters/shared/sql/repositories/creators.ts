import { CREATOR_STATUSES, type Creator, type CreatorStatus } from '../../../../src/domain/types';
import type { CreatorRepository } from '../../../../src/ports/storage';
import { choice, integer } from '../row-columns';
import type { Dialect } from '../dialect';
import { CREATOR_COLUMNS, toCreator } from '../row-mappers';
import { encodeRows, type Session } from '../session';

function statements(dialect: Dialect) {
  const table = dialect.table('creators');
  const totals = dialect.table('creator_totals');
  const select = `SELECT ${CREATOR_COLUMNS} FROM ${table}`;
  const incoming = dialect.rows({
    address: 'text',
    status: 'text',
    display_name: 'text',
    statement: 'text',
    applied_at: 'integer',
    approved_at: 'integer',
    rejected_reason: 'text',
    updated_at: 'integer',
  });
  return {
    find: `${select} WHERE address = $1`,
    lock: `${select} WHERE address = $1 ${dialect.forUpdate}`,
    listAll: `${select} ORDER BY updated_at DESC, address LIMIT $1 OFFSET $2`,
    listByStatus: `${select} WHERE status = $3 ORDER BY updated_at DESC, address LIMIT $1 OFFSET $2`,
    insert: `WITH ${incoming} INSERT INTO ${table} (${CREATOR_COLUMNS}) SELECT ${CREATOR_COLUMNS} FROM r WHERE true
      ON CONFLICT (address) DO NOTHING RETURNING address`,
    update: `WITH ${incoming} UPDATE ${table} AS c SET status = r.status, display_name = r.display_name,
      statement = r.statement, applied_at = r.applied_at, approved_at = r.approved_at,
      rejected_reason = r.rejected_reason, updated_at = r.updated_at FROM r WHERE c.address = r.address`,
    totals: `SELECT status, creators FROM ${totals}`,
    addTotals: `WITH ${dialect.rows({ status: 'text', creators: 'integer' })}
      INSERT INTO ${totals} AS t (status, creators) SELECT status, creators FROM r WHERE true ORDER BY status
      ON CONFLICT (status) DO UPDATE SET creators = t.creators + excluded.creators`,
  };
}

export function creatorRepository(dialect: Dialect): (session: Session) => CreatorRepository {
  const sql = statements(dialect);

  return (session) => {
    async function one(statement: string, address: string): Promise<Creator | null> {
      const [row] = await session.query(statement, [address]);
      return row === undefined ? null : toCreator(row);
    }
    async function countOf(status: CreatorStatus | undefined): Promise<number> {
      const rows = await session.query(sql.totals);
      const counted = rows.filter((row) => status === undefined || row['status'] === status);
      return counted.reduce((sum, row) => sum + integer(row, 'creators'), 0);
    }
    const addTotals = (changes: [CreatorStatus, number][]) =>
      session.query(sql.addTotals, [encodeRows(changes)]);

    return {
      find: (address) => one(sql.find, address),
      async lock(address) {
        if (dialect.lockName !== null) await session.query(dialect.lockName, [`creator ${address}`]);
        return one(sql.lock, address);
      },
      async list({ status, limit, offset }) {
        const total = await countOf(status);
        const rows =
          status === undefined
            ? await session.query(sql.listAll, [limit, offset])
            : await session.query(sql.listByStatus, [limit, offset, status]);
        return { creators: rows.map(toCreator), total };
      },
      async save(creator) {
        const row = encodeRows([cells(creator)]);
        const inserted = await session.query(sql.insert, [row]);
        if (inserted.length > 0) {
          await addTotals([[creator.status, 1]]);
          return;
        }
        const [before] = await session.query(sql.lock, [creator.address]);
        await session.query(sql.update, [row]);
        const was = before === undefined ? null : choice(before, 'status', CREATOR_STATUSES);
        if (was !== null && was !== creator.status) {
          await addTotals([
            [was, -1],
            [creator.status, 1],
          ]);
        }
      },
    };
  };
}

function cells(creator: Creator) {
  const { address, status, displayName, statement, appliedAt, approvedAt, rejectedReason, updatedAt } =
    creator;
  return [address, status, displayName, statement, appliedAt, approvedAt, rejectedReason, updatedAt];
}
