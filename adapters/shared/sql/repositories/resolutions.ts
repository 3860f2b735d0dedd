import {
  OPEN_RESOLUTION_STATUSES,
  RESOLUTION_STATUSES,
  ROUND_STATUSES,
  type OpenResolutionStatus,
  type ResolutionRound,
  type ResolutionState,
} from '../../../../src/domain/oracle/resolution-state';
import type { RoundHistory } from '../../../../src/domain/oracle/rounds';
import { ORACLE_OUTCOMES, type Vote } from '../../../../src/domain/oracle/vote';
import type { ResolutionRepository } from '../../../../src/ports/storage';
import { choice, integer, micros, optionalInteger, optionalText, text } from '../row-columns';
import type { ColumnType, Dialect } from '../dialect';
import { creatorJoin, marketRecordColumns, toMarketRecord } from '../row-mappers';
import { encodeRows, encodeTexts, type Cell, type Row, type Session } from '../session';

const STATE = {
  market_id: 'integer',
  status: 'text',
  history: 'text',
  last_outcome: 'text',
  proposal: 'text',
  next_attempt_at: 'integer',
  updated_at: 'integer',
} as const satisfies Record<string, ColumnType>;

const ROUND_LIFE = {
  status: 'text',
  lease_token: 'integer',
  started_at: 'integer',
  ended_at: 'integer',
  votes: 'text',
  finding: 'text',
  verdict: 'text',
  calls: 'integer',
  cost: 'integer',
} as const satisfies Record<string, ColumnType>;

const ROUND = { market_id: 'integer', round: 'integer', ...ROUND_LIFE } as const;

/** The condition of the partial index by status. */
const OPEN = `status <> 'done'`;

function assignments(columns: readonly string[], source: string): string {
  return columns.map((name) => `${name} = ${source}.${name}`).join(', ');
}

/**
 * A page of resolutions. Each status is one branch, which reads at most `offset + limit` entries of an index. The
 * branches are merged.
 */
function pageStatement(dialect: Dialect, statuses: readonly OpenResolutionStatus[]): string {
  const table = dialect.table('resolutions');
  const branches = statuses.map(
    (status, index) =>
      `SELECT * FROM (SELECT market_id FROM ${table} WHERE ${OPEN} AND status = '${status}'
        ORDER BY market_id LIMIT $1) AS branch_${index}`,
  );
  const state = Object.keys(STATE).map((name) => `s.${name}`);
  return `WITH page AS (
      SELECT market_id FROM (${branches.join(' UNION ALL ')}) AS merged ORDER BY market_id LIMIT $2 OFFSET $3
    )
    SELECT ${state.join(', ')}, ${marketRecordColumns(dialect)} FROM page
    JOIN ${table} s ON s.market_id = page.market_id
    JOIN ${dialect.table('markets')} m ON m.id = page.market_id ${creatorJoin(dialect)}
    ORDER BY page.market_id`;
}

function statements(dialect: Dialect) {
  const states = dialect.table('resolutions');
  const rounds = dialect.table('resolution_rounds');
  const [stateNames, roundNames] = [Object.keys(STATE), Object.keys(ROUND)];
  const roundColumns = roundNames.filter((name) => name !== 'cost').join(', ');
  // The names differ from those of the columns, because RETURNING must not be ambiguous.
  const change = dialect.rows({ of_market: 'integer', number: 'integer', ...ROUND_LIFE });
  return {
    find: `SELECT ${stateNames.join(', ')} FROM ${states} WHERE market_id = $1`,
    pages: Object.fromEntries(
      OPEN_RESOLUTION_STATUSES.map((status) => [status, pageStatement(dialect, [status])]),
    ) as Record<OpenResolutionStatus, string>,
    pageOfAll: pageStatement(dialect, OPEN_RESOLUTION_STATUSES),
    count: `SELECT count(*) AS total FROM ${states} WHERE ${OPEN} AND ${dialect.among('status', 'text')}`,
    save: `WITH ${dialect.rows(STATE)} INSERT INTO ${states} (${stateNames.join(', ')})
      SELECT ${stateNames.join(', ')} FROM r WHERE true ON CONFLICT (market_id) DO UPDATE
      SET ${assignments(
        stateNames.filter((name) => name !== 'market_id'),
        'excluded',
      )}`,
    listRounds: `WITH page AS (
        SELECT market_id, round FROM ${rounds} WHERE market_id = $1 ORDER BY round DESC LIMIT $2
      )
      SELECT ${roundNames
        .filter((name) => name !== 'cost')
        .map((name) => `t.${name}`)
        .join(', ')}, ${dialect.exact('t.cost')} AS cost
      FROM page JOIN ${rounds} t ON t.market_id = page.market_id AND t.round = page.round ORDER BY page.round`,
    spentSince: `SELECT COALESCE(sum(calls), 0) AS calls, ${dialect.exact('COALESCE(sum(cost), 0)')} AS cost
      FROM ${rounds} WHERE started_at >= $1`,
    insertRound: `WITH ${dialect.rows(ROUND)} INSERT INTO ${rounds} (${roundColumns}, cost)
      SELECT ${roundColumns}, cost FROM r WHERE true`,
    updateRound: `WITH ${change} UPDATE ${rounds} AS t SET ${assignments(Object.keys(ROUND_LIFE), 'r')}
      FROM r WHERE t.market_id = r.of_market AND t.round = r.number RETURNING market_id`,
    deleteRounds: `DELETE FROM ${rounds} WHERE market_id = $2 AND round <= $3 AND ${dialect.among('finding', 'text')}`,
  };
}

export function resolutionRepository(dialect: Dialect): (session: Session) => ResolutionRepository {
  const sql = statements(dialect);

  return (session) => ({
    async find(marketId) {
      const [row] = await session.query(sql.find, [marketId]);
      return row === undefined ? null : toState(row);
    },
    async list({ status, limit, offset }) {
      const statuses = status === undefined ? OPEN_RESOLUTION_STATUSES : [status];
      const page = status === undefined ? sql.pageOfAll : sql.pages[status];
      const [count] = await session.query(sql.count, [encodeTexts(statuses)]);
      const rows = await session.query(page, [limit + offset, limit, offset]);
      return {
        resolutions: rows.map((row) => ({ ...toState(row), market: toMarketRecord(row) })),
        total: count === undefined ? 0 : integer(count, 'total'),
      };
    },
    async listRounds({ marketId, limit }) {
      return (await session.query(sql.listRounds, [marketId, limit])).map(toRound);
    },
    async spentSince(startedAt) {
      const [row] = await session.query(sql.spentSince, [startedAt]);
      if (row === undefined) return { calls: 0, costMicros: 0n };
      return { calls: integer(row, 'calls'), costMicros: micros(row, 'cost') };
    },
    async save(state) {
      await session.query(sql.save, [encodeRows([stateCells(state)])]);
    },
    async insertRound(round) {
      await session.query(sql.insertRound, [encodeRows([roundCells(round)])]);
    },
    async updateRound(round) {
      const written = await session.query(sql.updateRound, [encodeRows([roundCells(round)])]);
      if (written.length === 0)
        throw new Error(`round ${round.round} of market ${round.marketId} does not exist`);
    },
    async deleteRounds({ marketId, upTo, findings }) {
      await session.query(sql.deleteRounds, [encodeTexts(findings), marketId, upTo]);
    },
  });
}

const asJson = (value: object | null): string | null => (value === null ? null : JSON.stringify(value));
const fromJson = <T>(json: string | null): T | null => (json === null ? null : (JSON.parse(json) as T));

function stateCells(state: ResolutionState): Cell[] {
  const { marketId, status, history, lastOutcome, proposal, nextAttemptAt, updatedAt } = state;
  return [marketId, status, JSON.stringify(history), lastOutcome, asJson(proposal), nextAttemptAt, updatedAt];
}

function roundCells(round: ResolutionRound): Cell[] {
  const { marketId, status, leaseToken, startedAt, endedAt, votes, verdict, calls, costMicros } = round;
  return [
    marketId,
    round.round,
    status,
    leaseToken,
    startedAt,
    endedAt,
    JSON.stringify(votes),
    verdict?.finding ?? null,
    asJson(verdict),
    calls,
    costMicros,
  ];
}

function toState(row: Row): ResolutionState {
  const lastOutcome = optionalText(row, 'last_outcome');
  return {
    marketId: integer(row, 'market_id'),
    status: choice(row, 'status', RESOLUTION_STATUSES),
    history: JSON.parse(text(row, 'history')) as RoundHistory,
    lastOutcome: lastOutcome === null ? null : choice(row, 'last_outcome', ORACLE_OUTCOMES),
    proposal: fromJson(optionalText(row, 'proposal')),
    nextAttemptAt: optionalInteger(row, 'next_attempt_at'),
    updatedAt: integer(row, 'updated_at'),
  };
}

function toRound(row: Row): ResolutionRound {
  return {
    marketId: integer(row, 'market_id'),
    round: integer(row, 'round'),
    status: choice(row, 'status', ROUND_STATUSES),
    leaseToken: integer(row, 'lease_token'),
    startedAt: integer(row, 'started_at'),
    endedAt: optionalInteger(row, 'ended_at'),
    votes: JSON.parse(text(row, 'votes')) as Vote[],
    verdict: fromJson(optionalText(row, 'verdict')),
    calls: integer(row, 'calls'),
    costMicros: micros(row, 'cost'),
  };
}
