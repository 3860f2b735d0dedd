/** A proxy between an adapter and its node that can answer wrongly or not at all. */
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { close, listen } from '../../facilitator/support/facilitator-server';
import { sendHalf } from '../../support/half-body';

const asItIs = (body: string): string => body;

export class NodeError extends Error {
  constructor(
    message: string,
    readonly code = -32_000,
  ) {
    super(message);
  }
}

/** `ask` sends the question to the real node, with the same parameters by default. */
export type Lie = (parameters: unknown[], ask: (parameters?: unknown[]) => Promise<unknown>) => unknown;

export interface LyingNode {
  url: string;
  /** Replaces all earlier lies. A method without a lie is answered honestly. */
  lie(lies: Record<string, Lie>): void;
  garble(text: string): void;
  /** With `{}` the node behaves again. */
  misbehave(trouble: Trouble): void;
  asked(method: string): number;
  close(): Promise<void>;
}

interface Trouble {
  status?: number;
  isSilent?: boolean;
  isHalf?: boolean;
  location?: string;
  nonsense?: (body: string) => string;
}

interface Question {
  id: unknown;
  method: string;
  params: unknown[];
}

export async function openLyingNode(nodeUrl: string): Promise<LyingNode> {
  let lies: Record<string, Lie> = {};
  let garbage: string | null = null;
  let trouble: Trouble = {};
  const counts = new Map<string, number>();

  async function pass(question: Question): Promise<unknown> {
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify({ jsonrpc: '2.0', ...question });
    const answer = await fetch(nodeUrl, { method: 'POST', headers, body });
    const { result, error } = (await answer.json()) as {
      result?: unknown;
      error?: { message: string; code: number };
    };
    if (error !== undefined) throw new NodeError(error.message, error.code);
    return result;
  }

  async function answer(question: Question): Promise<object> {
    const { id, method, params } = question;
    counts.set(method, (counts.get(method) ?? 0) + 1);
    const ask = (others = params): Promise<unknown> => pass({ ...question, params: others });
    try {
      const lie = lies[method];
      const result = await (lie === undefined ? ask() : lie(params, ask));
      return { jsonrpc: '2.0', id, result };
    } catch (error) {
      if (!(error instanceof NodeError)) throw error;
      return { jsonrpc: '2.0', id, error: { code: error.code, message: error.message } };
    }
  }

  const server = createServer((request, response) => {
    const { status, isSilent = false, isHalf = false, location, nonsense = asItIs } = trouble;
    if (isSilent) return;
    if (isHalf) return sendHalf(response, '{"jsonrpc":"2.0","result":"0x1"}');
    if (location !== undefined) return void response.writeHead(307, { location }).end();
    if (status !== undefined) return void response.writeHead(status).end('{"error":"busy"}');
    text(request)
      .then(async (body) => garbage ?? nonsense(JSON.stringify(await answer(JSON.parse(body) as Question))))
      .then((answered) => response.setHeader('content-type', 'application/json').end(answered))
      .catch(() => response.destroy());
  });
  const port = await listen(server);
  return {
    url: `http://127.0.0.1:${port}`,
    lie: (told) => void (lies = told),
    garble: (text) => void (garbage = text),
    misbehave: (next) => void (trouble = next),
    asked: (method) => counts.get(method) ?? 0,
    close: () => close(server),
  };
}
