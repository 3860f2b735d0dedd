/**
 * A proxy in front of a blockchain node. A test can kill a server at the moment when the server sends a
 * transaction.
 */
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { close, listen } from '../facilitator/support/facilitator-server';

export interface NodeGate {
  url: string;
  /**
   * Awaits `act` at the transaction with this number, where 1 is the next. The node gets the transaction only with
   * `after`. The sender gets no answer.
   */
  atTransaction(number: number, when: 'before' | 'after', act: (hash: string) => Promise<void>): void;
  close(): Promise<void>;
}

interface Trap {
  toLetPass: number;
  when: 'before' | 'after';
  act(hash: string): Promise<void>;
}

export async function openNodeGate(nodeUrl: string): Promise<NodeGate> {
  let trap: Trap | null = null;

  async function pass(body: string): Promise<string> {
    const headers = { 'content-type': 'application/json' };
    return (await fetch(nodeUrl, { method: 'POST', headers, body })).text();
  }

  async function serve(body: string): Promise<string | null> {
    if (trap === null || !body.includes('"eth_sendRawTransaction"')) return pass(body);
    if (trap.toLetPass > 0) {
      trap.toLetPass -= 1;
      return pass(body);
    }
    const { when, act } = trap;
    trap = null;
    const answer = when === 'after' ? (JSON.parse(await pass(body)) as { result?: string }) : {};
    await act(answer.result ?? '');
    return null;
  }

  const server = createServer((request, response) => {
    text(request)
      .then(serve)
      .then((answer) => {
        if (answer === null) response.destroy();
        else response.setHeader('content-type', 'application/json').end(answer);
      })
      .catch(() => response.destroy());
  });
  const port = await listen(server);
  return {
    url: `http://127.0.0.1:${port}`,
    atTransaction: (number, when, act) => void (trap = { toLetPass: number - 1, when, act }),
    close: () => close(server),
  };
}
