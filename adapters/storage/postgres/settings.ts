/**
 * The time limits and settings of each kind of work. Settings belong to the transaction (SET LOCAL) and not to
 * the session, which a pooler in transaction mode shares.
 */
import type { TimeLimits } from '../../shared/sql/postgres-pool';

/** This is below the 5 seconds after which an unreachable storage has to reject. */
const WAIT_MS = 4_500;
/**
 * The server's own limit for a statement. It is shorter than `WAIT_MS`, so that no statement runs on after the
 * client has given up.
 */
const STATEMENT_MS = 4_400;
const AUDIT_MS = 600_000;
/** How long a migration waits for a lock. Transactions behind it in the queue wait for as long. */
export const LOCK_MS = 2_000;

export const LIMITS: TimeLimits = { firstMs: WAIT_MS, laterMs: WAIT_MS };
/**
 * The limits of a read, or of a snapshot of a few reads. The time spent waiting for the connection counts too.
 */
export const READING: TimeLimits = { ...LIMITS, wholeMs: WAIT_MS };
/**
 * The limits of an audit. An audit starts soon or is refused. Once it has started, it may take ten minutes.
 */
export const AUDIT: TimeLimits = { firstMs: WAIT_MS, laterMs: AUDIT_MS, wholeMs: AUDIT_MS };
/**
 * The limits of a migration. A statement may take a day, because a migration that is interrupted has to start
 * again, and makes other transactions wait again.
 */
export const MIGRATING: TimeLimits = { firstMs: WAIT_MS, laterMs: 86_400_000, discardAfterFailure: true };

const settings = (begin: string, values: Readonly<Record<string, string | number>>): string =>
  [begin, ...Object.entries(values).map(([name, value]) => `SET LOCAL ${name} = ${value}`)].join('; ');

/**
 * The statement names the isolation level, because the default of the host's database may be stricter. With a
 * stricter level, every row that two transactions want would cause a rerun.
 */
const READ_COMMITTED = 'BEGIN ISOLATION LEVEL READ COMMITTED';
const SHORT = {
  statement_timeout: STATEMENT_MS,
  // Compiling a statement takes longer than looking up a few keys. With sequential scans switched off, the
  // estimated cost of a plan can be so high that Postgres would compile it.
  jit: 'off',
};

export const BEGIN = settings(READ_COMMITTED, {
  ...SHORT,
  // This setting frees the locks of an instance that was paused inside a transaction for ten seconds.
  idle_in_transaction_session_timeout: 10_000,
  // A transaction looks rows up by key. While a table is small, the planner prefers to read all of it, and a
  // prepared statement would keep that plan while the table grows.
  enable_seqscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
});
export const BEGIN_READ = settings(`${READ_COMMITTED} READ ONLY`, SHORT);
export const BEGIN_SNAPSHOT = settings('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY', SHORT);

/**
 * With this setting the server notices within a second that a client is gone, even while it waits for a lock or
 * runs a statement. Servers on some systems cannot do this and refuse the setting.
 */
const NOTICE_LOST_CLIENT = `DO $$ BEGIN PERFORM set_config('client_connection_check_interval', '1000', true);
  EXCEPTION WHEN invalid_parameter_value THEN NULL; END $$`;

export const BEGIN_AUDIT = `${settings('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY', {
  statement_timeout: AUDIT_MS,
})}; ${NOTICE_LOST_CLIENT}`;
export const BEGIN_MIGRATION = `${settings(READ_COMMITTED, {
  statement_timeout: 0,
  lock_timeout: LOCK_MS,
})}; ${NOTICE_LOST_CLIENT}`;
