/**
 * A proxy between a storage and its Postgres. It breaks the connection after the server has committed, and before the
 * answer arrives. It understands the statements of a transaction, and the server's answer to COMMIT.
 */
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { once } from 'node:events';
import { clientMessages, serverMessages, textIn } from './postgres-protocol';

export interface LostCommit {
  /** Which of the coming COMMITs loses its answer. 1 is the next COMMIT. */
  number: number;
  /** Counts only transactions that ran a statement which matches. */
  touching: RegExp;
}

export interface PostgresProxy {
  /** The address of the database, with the port of the proxy. */
  url: string;
  /** Breaks the connection before the answer to this COMMIT arrives. A new fault replaces an earlier fault. */
  loseCommit(fault: LostCommit): void;
  hasLost(): boolean;
  /** Removes the fault, so no later commit is lost. Returns whether the fault has happened. */
  endFault(): boolean;
  /** Cuts every connection and lets no connection in, as if the database were away. */
  cutOff(): void;
  letIn(): void;
  close(): Promise<void>;
}

interface Connection {
  cut(): void;
}

export async function startPostgresProxy(url: string): Promise<PostgresProxy> {
  const target = new URL(url);
  const connections = new Set<Connection>();
  let isAway = false;
  let fault: LostCommit | null = null;
  let hasLost = false;

  function isToBeLost(statements: readonly string[]): boolean {
    if (fault === null || hasLost) return false;
    const { touching } = fault;
    if (!statements.some((statement) => touching.test(statement))) return false;
    fault.number -= 1;
    hasLost = fault.number === 0;
    return hasLost;
  }

  function serve(client: Socket): void {
    if (isAway) {
      client.destroy();
      return;
    }
    const server = connect(Number(target.port), target.hostname);
    const connection = {
      cut(): void {
        connections.delete(connection);
        client.destroy();
        server.destroy();
      },
    };
    connections.add(connection);
    const sent = statementReader();
    const answered = serverMessages();
    client.on('data', (part: Buffer) => {
      sent.read(part);
      server.write(part);
    });
    server.on('data', (part: Buffer) => {
      for (const { type, body } of answered(part)) {
        if (type === 'C' && textIn(body) === 'COMMIT' && isToBeLost(sent.statements())) {
          connection.cut();
          return;
        }
        if (type === 'Z' && String(body) === IDLE) sent.forget();
      }
      client.write(part);
    });
    for (const socket of [client, server]) {
      socket.setNoDelay(true);
      socket.on('error', connection.cut).on('close', connection.cut);
    }
  }

  const listener = createServer(serve).listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const cutAll = (): void => {
    for (const connection of [...connections]) connection.cut();
  };
  const address = new URL(url);
  address.host = `127.0.0.1:${(listener.address() as AddressInfo).port}`;
  return {
    url: address.href,
    loseCommit(next) {
      fault = { ...next };
      hasLost = false;
    },
    hasLost: () => hasLost,
    endFault() {
      fault = null;
      return hasLost;
    },
    cutOff() {
      isAway = true;
      cutAll();
    },
    letIn() {
      isAway = false;
    },
    async close() {
      const closed = once(listener, 'close');
      listener.close();
      cutAll();
      await closed;
    },
  };
}

/** The state that the server reports when no transaction is open. */
const IDLE = 'I';

interface StatementReader {
  read(part: Buffer): void;
  /** The texts that were run since the last `forget`. */
  statements(): readonly string[];
  forget(): void;
}

/**
 * Reads the texts that the client runs: those of simple queries, and those from which its statements were
 * prepared.
 */
function statementReader(): StatementReader {
  const messages = clientMessages();
  const prepared = new Map<string, string>();
  let statements: string[] = [];

  return {
    read(part) {
      for (const { type, body } of messages(part)) {
        if (type === 'Q') statements.push(textIn(body));
        if (type === 'P') prepared.set(textIn(body), textIn(body, 1));
        if (type === 'B') statements.push(prepared.get(textIn(body, 1)) ?? '');
      }
    },
    statements: () => statements,
    forget() {
      statements = [];
    },
  };
}
