import { OPERATOR_ACTIONS, type ActDetails, type OperatorAct } from '../../../../src/domain/operator-acts';
import type { OperatorLogRepository } from '../../../../src/ports/storage';
import { choice, integer, text } from '../row-columns';
import type { ColumnType, Dialect } from '../dialect';
import { encodeRows, type Row, type Session } from '../session';

const COLUMNS = {
  at: 'integer',
  operator: 'text',
  action: 'text',
  target: 'text',
  details: 'text',
} as const satisfies Record<string, ColumnType>;

function statements(dialect: Dialect) {
  const table = dialect.table('operator_log');
  const columns = Object.keys(COLUMNS).join(', ');
  return {
    list: `SELECT id, ${columns} FROM ${table} ORDER BY id DESC LIMIT $1 OFFSET $2`,
    listOfAction: `SELECT id, ${columns} FROM ${table} WHERE action = $3 ORDER BY id DESC LIMIT $1 OFFSET $2`,
    append: `WITH ${dialect.rows(COLUMNS)} INSERT INTO ${table} (${columns}) SELECT ${columns} FROM r`,
  };
}

export function operatorLogRepository(dialect: Dialect): (session: Session) => OperatorLogRepository {
  const sql = statements(dialect);

  return (session) => ({
    async list({ action, limit, offset }) {
      const rows = await (action === undefined
        ? session.query(sql.list, [limit, offset])
        : session.query(sql.listOfAction, [limit, offset, action]));
      return rows.map(toAct);
    },
    async append({ at, operator, action, target, details }) {
      const cells = [at, operator, action, target, JSON.stringify(details)];
      await session.query(sql.append, [encodeRows([cells])]);
    },
  });
}

function toAct(row: Row): OperatorAct {
  return {
    id: integer(row, 'id'),
    at: integer(row, 'at'),
    operator: text(row, 'operator'),
    action: choice(row, 'action', OPERATOR_ACTIONS),
    target: text(row, 'target'),
    details: JSON.parse(text(row, 'details')) as ActDetails,
  };
}
