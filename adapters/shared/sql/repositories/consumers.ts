import type { Consumer, ParkedFact } from '../../../../src/domain/consumers';
import type { ConsumerRepository } from '../../../../src/ports/storage';
import { integer, optionalInteger, optionalText, text } from '../row-columns';
import type { ColumnType, Dialect } from '../dialect';
import { encodeRows, type Cell, type Row, type Session } from '../session';

const LIFE = {
  epoch: 'text',
  seq: 'integer',
  token: 'integer',
  owner: 'text',
  owned_until: 'integer',
  failures: 'integer',
  last_error: 'text',
  updated_at: 'integer',
} as const satisfies Record<string, ColumnType>;

const PARKED = {
  consumer: 'text',
  epoch: 'text',
  seq: 'integer',
  market_id: 'integer',
  market_seq: 'integer',
  kind: 'text',
  created_at: 'integer',
  data: 'text',
  failures: 'integer',
  error: 'text',
  parked_at: 'integer',
  redo: 'integer',
} as const satisfies Record<string, ColumnType>;

function statements(dialect: Dialect) {
  const consumers = dialect.table('consumers');
  const parked = dialect.table('parked_facts');
  const columns = ['name', ...Object.keys(LIFE), 'created_at'].join(', ');
  const parkedColumns = Object.keys(PARKED).join(', ');
  const assign = (names: readonly string[], source: string): string =>
    names.map((name) => `${name} = ${source}.${name}`).join(', ');
  const ofConsumer = (condition: string) => ({
    count: `SELECT count(*) AS total FROM ${parked} WHERE consumer = $1 ${condition}`,
    page: `SELECT ${parkedColumns} FROM ${parked} WHERE consumer = $1 ${condition}
      ORDER BY consumer, seq, epoch LIMIT $2 OFFSET $3`,
  });
  return {
    find: `SELECT ${columns} FROM ${consumers} WHERE name = $1`,
    lock: `SELECT ${columns} FROM ${consumers} WHERE name = $1 ${dialect.forUpdate}`,
    list: `SELECT ${columns}, (SELECT count(*) FROM ${parked} p WHERE p.consumer = c.name) AS parked
      FROM ${consumers} c ORDER BY name`,
    insert: `WITH ${dialect.rows({ name: 'text', ...LIFE, created_at: 'integer' })}
      INSERT INTO ${consumers} (${columns}) SELECT ${columns} FROM r WHERE true
      ON CONFLICT (name) DO NOTHING RETURNING name`,
    // `wanted` is not called `name`, because the column in RETURNING must not be ambiguous.
    update: `WITH ${dialect.rows({ wanted: 'text', ...LIFE })} UPDATE ${consumers} AS c
      SET ${assign(Object.keys(LIFE), 'r')} FROM r WHERE c.name = r.wanted RETURNING name`,
    removeParked: `DELETE FROM ${parked} WHERE consumer = $1`,
    remove: `DELETE FROM ${consumers} WHERE name = $1 RETURNING name`,
    allParked: ofConsumer(''),
    toRedo: ofConsumer('AND redo = 1'),
    park: `WITH ${dialect.rows(PARKED)} INSERT INTO ${parked} (${parkedColumns})
      SELECT ${parkedColumns} FROM r WHERE true ON CONFLICT (consumer, seq, epoch) DO UPDATE
      SET ${assign(
        Object.keys(PARKED).filter((name) => !['consumer', 'seq', 'epoch'].includes(name)),
        'excluded',
      )}`,
    unpark: `DELETE FROM ${parked} WHERE consumer = $1 AND seq = $2 AND epoch = $3 RETURNING seq`,
  };
}

export function consumerRepository(dialect: Dialect): (session: Session) => ConsumerRepository {
  const sql = statements(dialect);

  return (session) => {
    async function one(statement: string, name: string): Promise<Consumer | null> {
      const [row] = await session.query(statement, [name]);
      return row === undefined ? null : toConsumer(row);
    }
    return {
      find: (name) => one(sql.find, name),
      lock: (name) => one(sql.lock, name),
      async list() {
        const rows = await session.query(sql.list);
        return rows.map((row) => ({ ...toConsumer(row), parked: integer(row, 'parked') }));
      },
      async listParked({ consumer, redo, limit, offset }) {
        const { count, page } = redo === true ? sql.toRedo : sql.allParked;
        const [counted] = await session.query(count, [consumer]);
        const rows = await session.query(page, [consumer, limit, offset]);
        return {
          parked: rows.map(toParkedFact),
          total: counted === undefined ? 0 : integer(counted, 'total'),
        };
      },
      async insert(consumer) {
        const cells = [...updateCells(consumer), consumer.createdAt];
        return (await session.query(sql.insert, [encodeRows([cells])])).length > 0;
      },
      async update(consumer) {
        const written = await session.query(sql.update, [encodeRows([updateCells(consumer)])]);
        if (written.length === 0) throw new Error(`consumer ${consumer.name} does not exist`);
      },
      async remove(name) {
        const removed = await session.query(sql.remove, [name]);
        await session.query(sql.removeParked, [name]);
        return removed.length > 0;
      },
      async park(fact) {
        await session.query(sql.park, [encodeRows([parkedCells(fact)])]);
      },
      async unpark({ consumer, epoch, seq }) {
        return (await session.query(sql.unpark, [consumer, seq, epoch])).length > 0;
      },
    };
  };
}

function updateCells(consumer: Consumer): Cell[] {
  const { name, epoch, seq, token, owner, ownedUntil, failures, lastError, updatedAt } = consumer;
  return [name, epoch, seq, token, owner, ownedUntil, failures, lastError, updatedAt];
}

function parkedCells({ consumer, epoch, seq, fact, failures, error, parkedAt, redo }: ParkedFact): Cell[] {
  const { marketId, marketSeq, kind, createdAt, data } = fact;
  const stored = [marketId, marketSeq, kind, createdAt, JSON.stringify(data)];
  return [consumer, epoch, seq, ...stored, failures, error, parkedAt, redo];
}

function toConsumer(row: Row): Consumer {
  return {
    name: text(row, 'name'),
    epoch: text(row, 'epoch'),
    seq: integer(row, 'seq'),
    token: integer(row, 'token'),
    owner: optionalText(row, 'owner'),
    ownedUntil: integer(row, 'owned_until'),
    failures: integer(row, 'failures'),
    lastError: optionalText(row, 'last_error'),
    createdAt: integer(row, 'created_at'),
    updatedAt: integer(row, 'updated_at'),
  };
}

function toParkedFact(row: Row): ParkedFact {
  return {
    consumer: text(row, 'consumer'),
    epoch: text(row, 'epoch'),
    seq: integer(row, 'seq'),
    fact: {
      marketId: optionalInteger(row, 'market_id'),
      marketSeq: optionalInteger(row, 'market_seq'),
      kind: text(row, 'kind'),
      createdAt: integer(row, 'created_at'),
      data: JSON.parse(text(row, 'data')) as Record<string, unknown>,
    },
    failures: integer(row, 'failures'),
    error: text(row, 'error'),
    parkedAt: integer(row, 'parked_at'),
    redo: integer(row, 'redo') === 1,
  };
}
