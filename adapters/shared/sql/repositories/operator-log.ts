import { OPERATOR_ACTIONS, type ActDetails, type OperatorAct } from '../../../../src/domain/operator-acts';
import type { OperatorLogFilter, OperatorLogRepository } from '../../../../src/ports/storage';
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

/** The condition of each filter, before its parameter. */
const CONDITIONS: Record<keyof OperatorLogFilter, string> = {
  operator: 'operator =',
  action: 'action =',
  target: 'target =',
  since: 'at >=',
  until: 'at <',
};
const FILTERS = Object.keys(CONDITIONS) as (keyof OperatorLogFilter)[];

function statements(dialect: Dialect) {
  const table = dialect.table('operator_log');
  const columns = Object.keys(COLUMNS).join(', ');
  return {
    /** The parameters are the limit, the offset, and the values of the filters that are given. */
    listBy(given: readonly (keyof OperatorLogFilter)[]): string {
      const conditions = given.map((name, index) => `${CONDITIONS[name]} $${index + 3}`);
      const where = conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`;
      return `SELECT id, ${columns} FROM ${table} ${where} ORDER BY id DESC LIMIT $1 OFFSET $2`;
    },
    append: `WITH ${dialect.rows(COLUMNS)} INSERT INTO ${table} (${columns}) SELECT ${columns} FROM r`,
  };
}

export function operatorLogRepository(dialect: Dialect): (session: Session) => OperatorLogRepository {
  const sql = statements(dialect);

  return (session) => ({
    async list({ limit, offset, ...filter }) {
      const given = FILTERS.filter((name) => filter[name] !== undefined);
      const values = given.map((name) => filter[name] as string | number);
      return (await session.query(sql.listBy(given), [limit, offset, ...values])).map(toAct);
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
