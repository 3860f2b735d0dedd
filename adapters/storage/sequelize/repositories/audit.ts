/** Recomputes from entries and trades in the database; only what differs comes out of it. */
import type { AuditDifference, AuditReader } from '../../../../src/ports/storage';
import { choice, integer, micros, text } from '../columns';
import type { Dialect } from '../dialect';
import type { Row, Session } from '../session';

const MAX_DIFFERENCES = 100;
const KINDS = ['posting', 'account', 'pool', 'position', 'market', 'counter'] as const;

/** One figure of a comparison: `source` gives, per subject, what is stored and what was computed. */
interface Figure {
  kind: AuditDifference['kind'];
  subject: string;
  stored: string;
  computed: string;
  source: string;
}

function comparison(definitions: string, figures: readonly Figure[]): string {
  const selects = figures.map(
    ({ kind, subject, stored, computed, source }) =>
      `SELECT '${kind}' AS kind, ${subject} AS subject, CAST(${stored} AS TEXT) AS stored,
        CAST(${computed} AS TEXT) AS computed FROM ${source} WHERE ${stored} <> ${computed}`,
  );
  return `WITH ${definitions} ${selects.join(' UNION ALL ')} LIMIT ${MAX_DIFFERENCES}`;
}

function ledgerComparison({ table }: Dialect): string {
  const figure = { stored: 'stored', computed: 'computed' };
  return comparison(
    `sums AS MATERIALIZED (SELECT account, sum(amount) AS total FROM ${table('entries')} GROUP BY account),
    movements AS MATERIALIZED (
      SELECT p.reference AS reference, s.total AS total FROM
        (SELECT posting_id, sum(amount) AS total FROM ${table('entries')} GROUP BY posting_id HAVING sum(amount) <> 0) AS s
        JOIN ${table('postings')} p ON p.id = s.posting_id
    ),
    pools AS MATERIALIZED (
      SELECT COALESCE(m.account, s.account) AS account, COALESCE(m.pool, 0) AS stored, COALESCE(s.total, 0) AS computed
      FROM (SELECT 'market:' || CAST(id AS TEXT) AS account, pool FROM ${table('markets')}) AS m
      FULL JOIN (SELECT * FROM sums WHERE account LIKE 'market:%') AS s ON s.account = m.account
    ),
    held AS MATERIALIZED (
      SELECT COALESCE(a.id, s.account) AS account, COALESCE(a.balance, 0) AS stored, COALESCE(s.total, 0) AS computed
      FROM ${table('accounts')} a
      FULL JOIN (SELECT * FROM sums WHERE account NOT LIKE 'market:%') AS s ON s.account = a.id
    )`,
    [
      { kind: 'posting', subject: 'reference', stored: 'total', computed: '0', source: 'movements' },
      { kind: 'account', subject: 'account', ...figure, source: 'held' },
      { kind: 'pool', subject: 'account', ...figure, source: 'pools' },
    ],
  );
}

const POSITION_FIGURES = {
  shares: `CASE WHEN action = 'buy' THEN shares ELSE -shares END`,
  // What leaves the basis is the cost of what went: the proceeds less the gain.
  cost_basis: `CASE WHEN action = 'buy' THEN total_cost ELSE realized_pnl - total_cost END`,
  realized_pnl: 'realized_pnl',
  fees_paid: 'fee',
};

function positionComparison({ table }: Dialect): string {
  const names = Object.keys(POSITION_FIGURES);
  const sums = Object.entries(POSITION_FIGURES).map(([name, term]) => `sum(${term}) AS ${name}`);
  const both = names.map(
    (name) => `COALESCE(p.${name}, 0) AS stored_${name}, COALESCE(t.${name}, 0) AS computed_${name}`,
  );
  return comparison(
    `traded AS MATERIALIZED (
      SELECT market_id, wallet, side, ${sums.join(', ')} FROM ${table('trades')} GROUP BY market_id, wallet, side
    ),
    joined AS MATERIALIZED (
      SELECT CAST(COALESCE(p.market_id, t.market_id) AS TEXT) || ':' || COALESCE(p.wallet, t.wallet) || ':' ||
        COALESCE(p.side, t.side) AS subject, ${both.join(', ')}
      FROM ${table('positions')} p
      FULL JOIN traded t ON t.market_id = p.market_id AND t.wallet = p.wallet AND t.side = p.side
    )`,
    names.map((name) => ({
      kind: 'position' as const,
      subject: `subject || ' ${camelCase(name)}'`,
      stored: `stored_${name}`,
      computed: `computed_${name}`,
      source: 'joined',
    })),
  );
}

const camelCase = (name: string): string =>
  ({ cost_basis: 'costBasis', realized_pnl: 'realizedPnl', fees_paid: 'feesPaid' })[name] ?? name;

function marketComparison({ table }: Dialect): string {
  const sharesOf = (side: string): string => `COALESCE(${side}, 0)`;
  return comparison(
    `outstanding AS MATERIALIZED (
      SELECT market_id, sum(CASE WHEN side = 'YES' THEN shares ELSE 0 END) AS yes_held,
        sum(CASE WHEN side = 'NO' THEN shares ELSE 0 END) AS no_held FROM ${table('positions')} GROUP BY market_id
    ),
    traded AS MATERIALIZED (
      SELECT market_id, count(*) AS trades FROM ${table('trades')} WHERE type = 'trade' GROUP BY market_id
    ),
    joined AS MATERIALIZED (
      SELECT 'market:' || CAST(m.id AS TEXT) AS subject, m.status, m.shares_yes, m.shares_no, m.trade_count,
        ${sharesOf('yes_held')} AS yes_held, ${sharesOf('no_held')} AS no_held, ${sharesOf('trades')} AS trades
      FROM ${table('markets')} m LEFT JOIN outstanding o ON o.market_id = m.id LEFT JOIN traded t ON t.market_id = m.id
    ),
    unresolved AS (SELECT * FROM joined WHERE status <> 'resolved')`,
    [
      {
        kind: 'market',
        subject: `subject || ' YES'`,
        stored: 'shares_yes',
        computed: 'yes_held',
        source: 'unresolved',
      },
      {
        kind: 'market',
        subject: `subject || ' NO'`,
        stored: 'shares_no',
        computed: 'no_held',
        source: 'unresolved',
      },
      {
        kind: 'counter',
        subject: `subject || ' tradeCount'`,
        stored: 'trade_count',
        computed: 'trades',
        source: 'joined',
      },
    ],
  );
}

function counterComparison({ table }: Dialect): string {
  const figure = (name: string, column: string): Figure => ({
    kind: 'counter',
    subject: `subject || ' ${name}'`,
    stored: `stored_${column}`,
    computed: `computed_${column}`,
    source: 'joined',
  });
  return comparison(
    `traded AS MATERIALIZED (SELECT wallet, count(*) AS activity FROM ${table('trades')} GROUP BY wallet),
    held AS MATERIALIZED (
      SELECT wallet, sum(CASE WHEN shares > 0 THEN 1 ELSE 0 END) AS open_positions, count(*) AS total_positions
      FROM ${table('positions')} GROUP BY wallet
    ),
    computed AS MATERIALIZED (
      SELECT 'wallet:' || COALESCE(t.wallet, h.wallet) AS id, COALESCE(t.activity, 0) AS activity,
        COALESCE(h.open_positions, 0) AS open_positions, COALESCE(h.total_positions, 0) AS total_positions
      FROM traded t FULL JOIN held h ON h.wallet = t.wallet
    ),
    joined AS MATERIALIZED (
      SELECT COALESCE(a.id, c.id) AS subject,
        COALESCE(a.activity_count, 0) AS stored_activity, COALESCE(c.activity, 0) AS computed_activity,
        COALESCE(a.open_positions, 0) AS stored_open, COALESCE(c.open_positions, 0) AS computed_open,
        COALESCE(a.total_positions, 0) AS stored_total, COALESCE(c.total_positions, 0) AS computed_total
      FROM ${table('accounts')} a FULL JOIN computed c ON c.id = a.id
    )`,
    [figure('activityCount', 'activity'), figure('openPositions', 'open'), figure('totalPositions', 'total')],
  );
}

function statements(dialect: Dialect) {
  const { table } = dialect;
  const balance = (id: string): string =>
    dialect.exact(`COALESCE((SELECT balance FROM ${table('accounts')} WHERE id = '${id}'), 0)`);
  return {
    comparisons: [
      ledgerComparison(dialect),
      counterComparison(dialect),
      positionComparison(dialect),
      marketComparison(dialect),
    ],
    checked: `SELECT (SELECT count(*) FROM ${table('accounts')} WHERE id LIKE 'wallet:%') AS wallets,
      (SELECT count(*) FROM ${table('markets')}) AS markets, (SELECT count(*) FROM ${table('positions')}) AS positions,
      (SELECT count(*) FROM ${table('entries')}) AS entries,
      ${balance('treasury')} AS treasury, ${balance('external')} AS external`,
  };
}

export function auditReader(dialect: Dialect): (session: Session) => AuditReader {
  const sql = statements(dialect);

  return (session) => ({
    async run() {
      const [checked] = await session.query(sql.checked);
      if (checked === undefined) throw new Error('the audit found nothing to count');
      const found: Row[] = [];
      for (const comparison of sql.comparisons) found.push(...(await session.query(comparison)));
      return {
        checked: {
          wallets: integer(checked, 'wallets'),
          markets: integer(checked, 'markets'),
          positions: integer(checked, 'positions'),
          entries: integer(checked, 'entries'),
        },
        treasury: micros(checked, 'treasury'),
        external: micros(checked, 'external'),
        differences: found.slice(0, MAX_DIFFERENCES).map(toDifference),
      };
    },
  });
}

const toDifference = (row: Row): AuditDifference => ({
  kind: choice(row, 'kind', KINDS),
  subject: text(row, 'subject'),
  stored: text(row, 'stored'),
  computed: text(row, 'computed'),
});
