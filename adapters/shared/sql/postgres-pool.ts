/** A pool of Postgres connections through Sequelize. The only place, with sqlite-connection.ts, that knows Sequelize. */
import type * as SequelizeModule from 'sequelize';
import { serviceUnavailable } from '../../../src/domain/errors';
import { failureKind, isAbortedTransaction, isPreparedStatementLost } from './driver-errors';
import { loadDriver, type Load } from '../drivers/load-driver';
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
  /** As `ssl` of the package pg. */
  ssl?: boolean | Record<string, unknown>;
  /** Default `auto`. */
  preparedStatements?: PreparedStatements;
}

export interface PostgresPool {
  /**
   * Lends one connection to `work`. Waiting for it and the first statement together, and each later statement,
   * may take the given time; then the work is refused with SERVICE_UNAVAILABLE and the connection thrown away.
   */
  lend<T>(limits: TimeLimits, work: (session: LentSession) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

export interface LentSession extends Session {
  /** Whether a statement is sent without waiting for the answers to earlier ones. */
  readonly pipelined: boolean;
  /** As the server said with its last answer: `IDLE`, or another letter while a transaction is open; `null` where it has said nothing. */
  status(): string | null;
}

export interface TimeLimits {
  firstMs: number;
  laterMs: number;
  /** All statements together, the waiting for the connection included. */
  wholeMs?: number;
  /** Throws the connection away after a failure: an idle one would keep the process alive until the pool closes it. */
  discardAfterFailure?: boolean;
}

const CONNECT_TIMEOUT_MS = 3_000;

/** Left out of Sequelize's types. With the version given, it opens no connection of its own to ask for it; the time zone is session state. */
const UNTYPED_OPTIONS = { databaseVersion: '14.0.0', keepDefaultTimezone: true };

type ConnectionManager = SequelizeModule.Sequelize['connectionManager'];
type Connection = Awaited<ReturnType<ConnectionManager['getConnection']>>;

/**
 * Makes pools of connections to one server. The pools share what they learn about the server.
 * @throws Error of one line when `sequelize` or `pg` is not installed.
 */
export function postgresPools(
  options: PostgresServerOptions,
  load?: Load,
): (maxConnections: number) => PostgresPool {
  const { url, ssl, preparedStatements = 'auto' } = options;
  const { Sequelize } = loadDriver('sequelize', 'postgresStorage', load) as typeof SequelizeModule;
  const driver = pipelining(loadDriver('pg', 'postgresStorage', load) as object);
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
        // Session state, which a pooler in transaction mode would hand to another client.
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

  async function borrow(limit: Limit): Promise<Connection> {
    const asked = manager.getConnection({ type: 'write', useMaster: true });
    try {
      return await limit.race(asked);
    } catch (error) {
      // The pool still lends the connection later, so it has to be handed back.
      asked.then(
        (late) => manager.releaseConnection(late),
        () => undefined,
      );
      throw error;
    }
  }

  return {
    async lend({ firstMs, laterMs, wholeMs = Infinity, discardAfterFailure = false }, work) {
      const end = performance.now() + wholeMs;
      const first = timeLimit(firstMs);
      let limit: Limit | null = first;
      const connection = await borrow(first).catch((error: unknown) => {
        first.end();
        throw error;
      });
      const client = connection as DriverClient;
      // Until the server has answered once.
      let broken = true;
      try {
        statuses.watch(client);
        const sending = await first.race(sender.attach(client));
        broken = false;
        return await work({
          pipelined: client.pipeline === true,
          status: () => statuses.of(client),
          async query(sql, bind = []) {
            const own = limit ?? timeLimit(Math.max(0, Math.min(laterMs, end - performance.now())));
            limit = null;
            try {
              return await own.race(sending.query(sql, bind));
            } catch (error) {
              broken ||= spoils(error) || own.expired();
              throw error;
            } finally {
              own.end();
            }
          },
        });
      } catch (error) {
        broken ||= discardAfterFailure;
        throw error;
      } finally {
        first.end();
        // The next work would run inside a transaction that was left open, and end it.
        giveBack(manager, connection, broken || statuses.of(client) !== IDLE);
      }
    },
    close: () => sequelize.close(),
  };
}

/** Whether the connection is of no further use. */
function spoils(error: unknown): boolean {
  // What was sent behind a failed statement fails with it, and says nothing of the connection.
  if (isAbortedTransaction(error)) return false;
  return failureKind(error) === 'unavailable' || isPreparedStatementLost(error);
}

/**
 * Does not wait: closing a broken connection may take for ever, and the caller needs its answer at once. The pool no longer
 * counts the connection by then.
 */
function giveBack(manager: ConnectionManager, connection: Connection, broken: boolean): void {
  try {
    if (!broken) {
      manager.releaseConnection(connection);
      return;
    }
    cut(connection as DriverClient);
    manager.destroyConnection(connection).catch(() => undefined);
  } catch {
    // The pool has dropped a connection that ended by itself; handing that back again is refused, and does not matter.
  }
}

interface Limit {
  race<T>(task: Promise<T>): Promise<T>;
  expired(): boolean;
  end(): void;
}

function timeLimit(ms: number): Limit {
  let expired = false;
  let expire: () => void = () => undefined;
  const expiry = new Promise<never>((_resolve, reject) => {
    expire = () => {
      expired = true;
      reject(serviceUnavailable('The storage does not answer'));
    };
  });
  // No race may be waiting when the time is over.
  expiry.catch(() => undefined);
  const timer = setTimeout(expire, ms);
  return {
    race: (task) => {
      task.catch(() => undefined);
      return Promise.race([task, expiry]);
    },
    expired: () => expired,
    end: () => clearTimeout(timer),
  };
}
