/** Sends statements over a connection that Sequelize has opened, without Sequelize's query layer. */
import { createHash } from 'node:crypto';
import { integer } from './row-columns';
import { isPreparedStatementLost, storageLost } from './driver-errors';
import type { BindValue, Row, Session } from './session';

/** The part of a client of the package pg that we use. */
export interface DriverClient {
  query(config: {
    text: string;
    values?: BindValue[];
    name?: string;
  }): Promise<DriverResult | DriverResult[]>;
  /** The id of the server process, which the server sends when the connection begins. */
  processID: number | null;
  /**
   * Whether the driver sends a statement at once (pg 8.22 and newer, if asked to). Other versions keep a queue.
   */
  pipeline?: boolean;
  /** The transaction status in the server's last answer. Older drivers do not have this function. */
  getTransactionStatus?(): string | null;
  connection?: DriverConnection;
}
interface DriverConnection {
  stream?: DriverSocket;
  on?(event: 'readyForQuery', listener: (message: { status?: string }) => void): void;
}
interface DriverSocket {
  destroy(): void;
  cork?(): void;
  uncork?(): void;
}
interface DriverResult {
  rows: Row[];
}

/**
 * The status when no transaction is open. The other letters are `T` (an open transaction) and `E` (a failed
 * transaction).
 */
export const IDLE = 'I';

/** Tells whether a transaction is open, for drivers of any version. */
export interface TransactionStatuses {
  /** The status of the client's transaction. `null` until the server has answered. */
  of(client: DriverClient): string | null;
  watch(client: DriverClient): void;
}

export function transactionStatuses(): TransactionStatuses {
  const heard = new WeakMap<DriverClient, string | null>();
  return {
    of: (client) => client.getTransactionStatus?.() ?? heard.get(client) ?? null,
    watch(client) {
      if (client.getTransactionStatus !== undefined || heard.has(client)) return;
      heard.set(client, null);
      client.connection?.on?.('readyForQuery', ({ status = null }) => heard.set(client, status));
    },
  };
}

export type PreparedStatements = boolean | 'auto';

/** The most names in use, so that names do not fill the server's memory. A further statement has no name. */
const MOST_NAMES = 256;

interface DriverEvents {
  on(event: 'error', listener: () => void): unknown;
}

/**
 * Makes the driver create clients that send statements at once. Older drivers ignore the option. The listener
 * keeps an error of a connection from ending the process before Sequelize listens for errors.
 */
export function pipelining(driver: object): object {
  const { Client } = driver as { Client: new (config: object) => DriverEvents };
  class PipeliningClient extends Client {
    constructor(config: object) {
      super({ ...config, pipeline: true });
      this.on('error', () => undefined);
    }
  }
  return Object.create(driver, { Client: { value: PipeliningClient, enumerable: true } }) as object;
}

/** Closes the connection at once. The driver's own method would wait for the answers to all statements. */
export function cut(client: DriverClient): void {
  client.connection?.stream?.destroy();
}

export interface StatementSender {
  /**
   * Makes a session on the client. If `preparedStatements` is `auto`, the first session on each client asks
   * the server whether it can keep prepared statements.
   */
  attach(client: DriverClient): Promise<Session>;
}

export function statementSender(preparedStatements: PreparedStatements): StatementSender {
  const names = new Map<string, string>();
  const direct = new WeakMap<DriverClient, boolean>();
  /**
   * Whether prepared statements may be used. This becomes false when the server no longer knows a prepared
   * statement. The likely cause is a pooler that gives each transaction another connection.
   */
  let trusted = preparedStatements !== false;

  function nameOf(text: string): string | undefined {
    const known = names.get(text);
    if (known !== undefined || names.size >= MOST_NAMES) return known;
    const name = `pm_${createHash('sha256').update(text).digest('hex').slice(0, 32)}`;
    names.set(text, name);
    return name;
  }

  async function isDirect(client: DriverClient): Promise<boolean> {
    const known = direct.get(client);
    if (known !== undefined) return known;
    const [row] = await send(client, 'SELECT pg_backend_pid() AS pid', []);
    // A pooler sends a process id that it has invented, and may use another server process for each
    // transaction.
    const same = row !== undefined && integer(row, 'pid') === client.processID;
    direct.set(client, same);
    return same;
  }

  return {
    async attach(client) {
      const named = trusted && (preparedStatements === true || (await isDirect(client)));
      const session: Session = {
        async query(text, bind = []) {
          const name = named && bind.length > 0 ? nameOf(text) : undefined;
          try {
            return await send(client, text, bind, name);
          } catch (error) {
            if (isPreparedStatementLost(error)) trusted = false;
            throw error;
          }
        },
      };
      return session;
    },
  };
}

async function send(
  client: DriverClient,
  text: string,
  bind: readonly BindValue[],
  name?: string,
): Promise<Row[]> {
  try {
    // Postgres refuses a text with NUL.
    const values = bind.map((value) => (typeof value === 'string' ? value.replaceAll('\0', '\\0') : value));
    gatherWrites(client);
    const result = await client.query({
      text,
      ...(values.length === 0 ? {} : { values }),
      ...(name === undefined ? {} : { name }),
    });
    return Array.isArray(result) ? result.flatMap(({ rows }) => rows) : result.rows;
  } catch (error) {
    throw isServerError(error) ? error : storageLost(error);
  }
}

/** Joins statements that are sent at the same time into one write to the socket. */
function gatherWrites({ connection }: DriverClient): void {
  const stream = connection?.stream;
  if (stream?.cork === undefined) return;
  stream.cork();
  process.nextTick(() => stream.uncork?.());
}

/**
 * Whether the server has sent the error. Such an error has a severity. The driver's own error about a lost
 * connection has none.
 */
function isServerError(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'severity' in error;
}
