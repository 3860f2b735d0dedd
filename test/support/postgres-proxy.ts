/**
 * A proxy in front of Postgres that can break the connection after Postgres has committed, and before the client
 * gets the answer.
 */
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { once } from 'node:events';
import { clientMessages, serverMessages, textIn } from './postgres-protocol';

export interface LostCommit {
  /** Which of the coming COMMITs loses its answer. 1 is the next COMMIT. */
  number: number;
  /** `number` counts only the transactions that ran a statement that matches this pattern. */
  touching: RegExp;
}

export interface PostgresProxy {
  url: string;
  loseCommit(fault: LostCommit): void;
  hasLost(): boolean;
  /** Lets later COMMITs pass. Returns whether a COMMIT has lost its answer. */
  endFault(): boolean;
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
  statements(): readonly string[];
  forget(): void;
}

/** Collects simple queries, and the texts from which the client's prepared statements were made. */
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
