/**
 * Limits and settings of each kind of work. Settings go with each transaction (SET LOCAL) and not with the session, which a
 * pooler in transaction mode shares.
 */
import type { TimeLimits } from '../../shared/sql/postgres-pool';

/** Below the 5 seconds within which a storage that is away has to reject. */
const WAIT_MS = 4_500;
/** Of the server, a little shorter: a statement that takes too long ends there, and does not go on unheard. */
const STATEMENT_MS = 4_400;
const AUDIT_MS = 600_000;
/** How long a migration may wait for a lock. Every transaction behind it in the queue waits as long. */
export const LOCK_MS = 2_000;

export const LIMITS: TimeLimits = { firstMs: WAIT_MS, laterMs: WAIT_MS };
/** A read, or a snapshot of a few: what has waited for its connection has that much less time for its statements. */
export const READING: TimeLimits = { ...LIMITS, wholeMs: WAIT_MS };
/** Begins soon or not at all, and then has its time. */
export const AUDIT: TimeLimits = { firstMs: WAIT_MS, laterMs: AUDIT_MS, wholeMs: AUDIT_MS };
/** A migration that is cut off begins anew, and makes other transactions wait again. */
export const MIGRATING: TimeLimits = { firstMs: WAIT_MS, laterMs: 86_400_000, discardAfterFailure: true };

const settings = (begin: string, values: Readonly<Record<string, string | number>>): string =>
  [begin, ...Object.entries(values).map(([name, value]) => `SET LOCAL ${name} = ${value}`)].join('; ');

/** The isolation is named because the host's database may have a stricter default, under which every contended row would cost a rerun. */
const READ_COMMITTED = 'BEGIN ISOLATION LEVEL READ COMMITTED';
const SHORT = {
  statement_timeout: STATEMENT_MS,
  // Statements by keys cost less than compiling them. A plan that avoids a scan at any price looks dear enough to be compiled.
  jit: 'off',
};

export const BEGIN = settings(READ_COMMITTED, {
  ...SHORT,
  // Frees the rows of an instance that was paused in the middle.
  idle_in_transaction_session_timeout: 10_000,
  // Every statement of a transaction looks rows up by their keys. Planned while a table is small, it would read the
  // table whole, and a prepared statement keeps such a plan until the next ANALYZE, however fast the table grows.
  enable_seqscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
});
export const BEGIN_READ = settings(`${READ_COMMITTED} READ ONLY`, SHORT);
export const BEGIN_SNAPSHOT = settings('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY', SHORT);

/**
 * The server notices within a second that its client is gone, also while it waits for a lock or works on a statement.
 * Servers on some systems cannot, and refuse the setting.
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
