/**
 * Recomputes figures from stored rows inside the database. Only differences, counts and sums leave the
 * database.
 */
import {
  AUDIT_KINDS,
  MOST_DIFFERENCES,
  type AuditDifference,
  type AuditReader,
} from '../../../../src/ports/storage/audit';
import { isPool, isWallet, poolAccountOf, walletAccountOf } from '../account-ids';
import { choice, integer, micros, text } from '../row-columns';
import type { Dialect } from '../dialect';
import type { Row, Session } from '../session';
import { houseReader } from './house';
import { IS_OPEN } from './withdrawals';
import { borderComparison } from './audit-border';
import { candleComparison } from './audit-candles';
import { houseRiskComparison } from './audit-house-risks';
import { comparison, sideBySide, type Figure, type Source } from './audit-comparison';

function ledgerComparison({ table }: Dialect): string {
  const figure = { subject: 'subject', stored: 'stored_balance', computed: 'computed_balance' };
  const summed = (where: string): Source => ({
    from: `sums WHERE ${where}`,
    subject: 'account',
    columns: { balance: 'total' },
  });
  const pools = {
    from: table('markets'),
    subject: poolAccountOf('id'),
    columns: { balance: 'pool' },
  };
  const accounts = { from: table('accounts'), subject: 'id', columns: { balance: 'balance' } };
  return comparison(
    `sums AS MATERIALIZED (SELECT account, sum(amount) AS total FROM ${table('entries')} GROUP BY account),
    movements AS MATERIALIZED (
      SELECT p.reference AS reference, s.total AS total FROM
        (SELECT posting_id, sum(amount) AS total FROM ${table('entries')} GROUP BY posting_id HAVING sum(amount) <> 0) AS s
        JOIN ${table('postings')} p ON p.id = s.posting_id
    ),
    ${sideBySide('pools', pools, summed(isPool('account')))},
    ${sideBySide('held', accounts, summed(`NOT ${isPool('account')}`))}`,
    [
      { kind: 'posting', subject: 'reference', stored: 'total', computed: '0', source: 'movements' },
      { kind: 'account', ...figure, source: 'held' },
      { kind: 'pool', ...figure, source: 'pools' },
    ],
  );
}

function reservationComparison({ table }: Dialect): string {
  const stored = { from: table('accounts'), subject: 'id', columns: { reserved: 'reserved' } };
  const open = {
    from: `${table('withdrawals')} WHERE ${IS_OPEN}`,
    subject: walletAccountOf('wallet'),
    columns: { reserved: 'amount' },
  };
  return comparison(sideBySide('held_back', stored, open), [
    {
      kind: 'account',
      subject: `subject || ' reserved'`,
      stored: 'stored_reserved',
      computed: 'computed_reserved',
      source: 'held_back',
    },
  ]);
}

/** The effect of each row of `trades` on the figures of its position. */
const POSITION_FIGURES = {
  shares: `CASE WHEN action = 'buy' THEN shares ELSE -shares END`,
  // A sale or a payout lowers the cost basis by the cost of its shares: its proceeds less its gain.
  cost_basis: `CASE WHEN action = 'buy' THEN total_cost ELSE realized_pnl - total_cost END`,
  realized_pnl: 'realized_pnl',
  fees_paid: 'fee',
};

function positionComparison({ table }: Dialect): string {
  const names = Object.keys(POSITION_FIGURES);
  const subject = `CAST(market_id AS TEXT) || ':' || wallet || ':' || side`;
  const stored = {
    from: table('positions'),
    subject,
    columns: Object.fromEntries(names.map((name) => [name, name])),
  };
  const traded = { from: table('trades'), subject, columns: POSITION_FIGURES };
  return comparison(
    sideBySide('joined', stored, traded),
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
  const orNone = (figure: string): string => `COALESCE(${figure}, 0)`;
  return comparison(
    `outstanding AS MATERIALIZED (
      SELECT market_id, sum(CASE WHEN side = 'YES' THEN shares ELSE 0 END) AS yes_held,
        sum(CASE WHEN side = 'NO' THEN shares ELSE 0 END) AS no_held FROM ${table('positions')} GROUP BY market_id
    ),
    traded AS MATERIALIZED (
      SELECT market_id, count(*) AS trades, sum(fee) AS fees FROM ${table('trades')} WHERE type = 'trade'
      GROUP BY market_id
    ),
    joined AS MATERIALIZED (
      SELECT ${poolAccountOf('m.id')} AS subject, m.status, m.shares_yes, m.shares_no, m.trade_count, m.creator_fees,
        ${orNone('yes_held')} AS yes_held, ${orNone('no_held')} AS no_held, ${orNone('trades')} AS trades,
        ${orNone('fees')} AS fees
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
      {
        kind: 'counter',
        subject: `subject || ' creatorFees'`,
        stored: 'creator_fees',
        computed: 'fees',
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
  const stored = {
    from: table('accounts'),
    subject: 'id',
    columns: { activity: 'activity_count', open: 'open_positions', total: 'total_positions' },
  };
  const counted = {
    from: `(
        SELECT wallet, count(*) AS activity, 0 AS open, 0 AS total FROM ${table('trades')} GROUP BY wallet
        UNION ALL
        SELECT wallet, 0, sum(CASE WHEN shares > 0 THEN 1 ELSE 0 END), count(*) FROM ${table('positions')} GROUP BY wallet
      ) AS counted`,
    subject: walletAccountOf('wallet'),
    columns: { activity: 'activity', open: 'open', total: 'total' },
  };
  return comparison(sideBySide('joined', stored, counted), [
    figure('activityCount', 'activity'),
    figure('openPositions', 'open'),
    figure('totalPositions', 'total'),
  ]);
}

function statements(dialect: Dialect) {
  const { table } = dialect;
  const balance = (id: string): string =>
    dialect.exact(`COALESCE((SELECT balance FROM ${table('accounts')} WHERE id = '${id}'), 0)`);
  return {
    comparisons: [
      ledgerComparison(dialect),
      reservationComparison(dialect),
      borderComparison(dialect),
      counterComparison(dialect),
      positionComparison(dialect),
      marketComparison(dialect),
      candleComparison(dialect),
      houseRiskComparison(dialect),
    ],
    checked: `SELECT (SELECT count(*) FROM ${table('accounts')} WHERE ${isWallet('id')}) AS wallets,
      (SELECT count(*) FROM ${table('markets')}) AS markets, (SELECT count(*) FROM ${table('positions')}) AS positions,
      (SELECT count(*) FROM ${table('entries')}) AS entries,
      ${balance('treasury')} AS treasury, ${balance('external')} AS external`,
  };
}

export function auditReader(dialect: Dialect): (session: Session) => AuditReader {
  const sql = statements(dialect);
  const house = houseReader(dialect);

  return (session) => ({
    house: () => house(session),
    async run(onStep = () => undefined) {
      const total = sql.comparisons.length + 1;
      onStep({ finished: 0, total });
      const [checked] = await session.query(sql.checked);
      if (checked === undefined) throw new Error('the audit found nothing to count');
      const found: Row[] = [];
      for (const [index, comparison] of sql.comparisons.entries()) {
        onStep({ finished: index + 1, total });
        found.push(...(await session.query(comparison)));
      }
      onStep({ finished: total, total });
      return {
        checked: {
          wallets: integer(checked, 'wallets'),
          markets: integer(checked, 'markets'),
          positions: integer(checked, 'positions'),
          entries: integer(checked, 'entries'),
        },
        treasury: micros(checked, 'treasury'),
        external: micros(checked, 'external'),
        differences: found.slice(0, MOST_DIFFERENCES).map(toDifference),
      };
    },
  });
}

const toDifference = (row: Row): AuditDifference => ({
  kind: choice(row, 'kind', AUDIT_KINDS),
  subject: text(row, 'subject'),
  stored: text(row, 'stored'),
  computed: text(row, 'computed'),
});
