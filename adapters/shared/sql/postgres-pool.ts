/** A pool of Postgres connections through Sequelize. */
import type * as SequelizeModule from 'sequelize';
import { isPredictionMarketError, serviceUnavailable } from '../../../src/domain/errors';
import { startTimeLimit, type TimeLimit } from '../../../src/ports/time-limit';
import { awaitedTimers } from '../../../src/ports/timers';
import { failureKind, isAbortedTransaction, isPreparedStatementLost, storageLost } from './driver-errors';
import { loadDrivers, type Load } from '../drivers/load-driver';
import {
  cut,
  IDLE,
  pipelining,
  statementSender,
  transactionStatuses,
  type DriverClient,
  type PreparedStatements,
  type StatementSender,
  type TransactionStatuses,
} from './postgres-statements';
import type { Session } from './session';

export interface PostgresServerOptions {
  url: string;
  /** The option `ssl` of the package pg. */
  ssl?: boolean | Record<string, unknown> | undefined;
  /** Whether statements are prepared. Default `auto`. */
  preparedStatements?: PreparedStatements | undefined;
}

export interface PostgresPool {
  /**
   * Lends a connection to `work`. Getting the connection and the first answer together have a time limit, and each
   * later statement has a limit of its own. A call that reaches its limit rejects with SERVICE_UNAVAILABLE, and the
   * connection is closed when `work` ends.
   */
  lend<T>(limits: TimeLimits, work: (session: LentSession) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

export interface LentSession extends Session {
  /** Whether a statement is sent without waiting for the answers to earlier statements. */
  readonly pipelined: boolean;
  /**
   * The transaction status in the server's last answer: `IDLE`, or another letter while a transaction is
   * open. `null` before the first answer, and with a driver that does not report the status.
   */
  status(): string | null;
}

export interface TimeLimits {
  firstMs: number;
  laterMs: number;
  /** The time limit for the wait for a connection and all statements together. */
  wholeMs?: number;
  /**
   * Closes the connection after a failure. An idle connection would keep the process alive until the pool
   * closes it.
   */
  discardAfterFailure?: boolean;
}

const CONNECT_TIMEOUT_MS = 3_000;

/**
 * The options that Sequelize's types lack. Sequelize opens no connection to ask for the version, because the
 * version is given. It also does not set the time zone, which is session state.
 */
const UNTYPED_OPTIONS = { databaseVersion: '14.0.0', keepDefaultTimezone: true };

type ConnectionManager = SequelizeModule.Sequelize['connectionManager'];
type PooledConnection = Awaited<ReturnType<ConnectionManager['getConnection']>>;

/**
 * Makes pools of connections to one server. The pools share the names of prepared statements, and whether the
 * server keeps such statements.
 * @throws Error of one line when `sequelize` or `pg` is not installed.
 */
export function postgresPools(
  options: PostgresServerOptions,
  load?: Load,
): (maxConnections: number) => PostgresPool {
  const { url, ssl, preparedStatements = 'auto' } = options;
  const [{ Sequelize }, pg] = loadDrivers(['sequelize', 'pg'], 'postgresStorage', load) as [
    typeof SequelizeModule,
    object,
  ];
  const driver = pipelining(pg);
  const sender = statementSender(preparedStatements);
  const statuses = transactionStatuses();
  const connecting = (maxConnections: number): SequelizeModule.Sequelize =>
    new Sequelize(url, {
      dialect: 'postgres',
      dialectModule: driver,
      logging: false,
      retry: { max: 1 },
      ...UNTYPED_OPTIONS,
      pool: { max: maxConnections, min: 0, idle: 10_000, acquire: 60_000 },
      dialectOptions: {
        application_name: 'express-prediction-market',
        keepAlive: true,
        connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
        // `ignore` keeps Sequelize from setting this session state, because a pooler in transaction mode would
        // hand it to another client.
        clientMinMessages: 'ignore',
        ...(ssl === undefined ? {} : { ssl }),
      },
    });
  return (maxConnections) => postgresPool(connecting(maxConnections), sender, statuses);
}

function postgresPool(
  sequelize: SequelizeModule.Sequelize,
  sender: StatementSender,
  statuses: TransactionStatuses,
): PostgresPool {
  const manager = sequelize.connectionManager;
  return {
    async lend(limits, work) {
      const end = performance.now() + (limits.wholeMs ?? Infinity);
      const first = answerLimit(limits.firstMs);
      const connection = await borrow(manager, first);
      const client = connection as DriverClient;
      // The connection counts as broken until `attach` is done. With `auto`, the first `attach` of a connection
      // asks the server.
      const health = { broken: true };
      try {
        statuses.watch(client);
        const sending = await first.race(sender.attach(client));
        health.broken = false;
        return await work({
          pipelined: client.pipeline === true,
          status: () => statuses.of(client),
          query: limitedQuery(sending, health, first, () =>
            answerLimit(Math.max(0, Math.min(limits.laterMs, end - performance.now()))),
          ),
        });
      } catch (error) {
        health.broken ||= limits.discardAfterFailure === true;
        throw error;
      } finally {
        first.end();
        // A connection with an open transaction must not be lent again: the next work would run inside that
        // transaction, and end it.
        giveBack(manager, connection, health.broken || statuses.of(client) !== IDLE);
      }
    },
    close: () => sequelize.close(),
  };
}

async function borrow(manager: ConnectionManager, limit: TimeLimit): Promise<PooledConnection> {
  const asked = manager.getConnection({ type: 'write', useMaster: true });
  try {
    return await limit.race(asked);
  } catch (error) {
    limit.end();
    // The pool may still lend the connection later. Then the connection has to be handed back.
    asked.then(
      (late) => manager.releaseConnection(late),
      () => undefined,
    );
    // Any failure to open a connection means that the database cannot be used now. The driver's errors are not all
    // known: a connection that ends while Sequelize sets it up has an error without a code.
    throw failureKind(error) === 'other' && !isPredictionMarketError(error) ? storageLost(error) : error;
  }
}

/** Limits the time of each statement. The first statement shares its limit with the wait for the connection. */
function limitedQuery(
  sending: Session,
  health: { broken: boolean },
  first: TimeLimit,
  later: () => TimeLimit,
): Session['query'] {
  let next: TimeLimit | null = first;
  return async (sql, bind = []) => {
    const limit = next ?? later();
    next = null;
    try {
      return await limit.race(sending.query(sql, bind));
    } catch (error) {
      health.broken ||= spoils(error) || limit.isOver();
      throw error;
    } finally {
      limit.end();
    }
  };
}

/** Whether the connection cannot be used any more after this error. */
function spoils(error: unknown): boolean {
  // Statements that were sent after a failed statement fail too. That does not mean that the connection is
  // broken.
  if (isAbortedTransaction(error)) return false;
  return failureKind(error) === 'unavailable' || isPreparedStatementLost(error);
}

/**
 * Gives the connection back to the pool, or closes a broken connection. Does not wait for the close, which may
 * never end. The pool does not count a closed connection any more.
 */
function giveBack(manager: ConnectionManager, connection: PooledConnection, broken: boolean): void {
  try {
    if (!broken) {
      manager.releaseConnection(connection);
      return;
    }
    cut(connection as DriverClient);
    manager.destroyConnection(connection).catch(() => undefined);
  } catch {
    // The pool has already removed a connection that ended by itself. Then the pool refuses to take the
    // connection back, which does no harm.
  }
}

function answerLimit(milliseconds: number): TimeLimit {
  return startTimeLimit(awaitedTimers, milliseconds, () => serviceUnavailable('The storage does not answer'));
}
