import { get, type IncomingMessage } from 'node:http';
import { createEventStreamParser, type StreamItem } from '../../../src/client/live/event-stream';

export interface StreamMessage {
  id: string | null;
  message: Record<string, unknown>;
}

export interface StreamClient {
  response: IncomingMessage;
  next(): Promise<StreamMessage>;
  take(count: number): Promise<StreamMessage[]>;
  comments(): number;
  /** Resolves when the server ends the stream, with the messages that were not taken before. */
  ended(): Promise<StreamMessage[]>;
  leave(): void;
}

export async function openStream(
  address: string,
  headers: Record<string, string> = {},
): Promise<StreamClient> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get(address, { headers, agent: false }, resolve).on('error', reject);
  });
  const waiting: StreamMessage[] = [];
  let comments = 0;
  let hasEnded = false;
  let changed = (): void => undefined;
  const change = (): Promise<void> => new Promise((resolve) => (changed = resolve));
  const read = createEventStreamParser(
    ({ id, data }: StreamItem) => {
      waiting.push({ id, message: JSON.parse(data) as Record<string, unknown> });
    },
    () => (comments += 1),
  );
  response.setEncoding('utf8');
  response.on('data', (text: string) => {
    read(text);
    changed();
  });
  const end = (): void => {
    hasEnded = true;
    changed();
  };
  response.on('end', end).on('error', end).on('close', end);

  async function next(): Promise<StreamMessage> {
    for (;;) {
      const found = waiting.shift();
      if (found !== undefined) return found;
      if (hasEnded) throw new Error('The stream has ended');
      await change();
    }
  }
  return {
    response,
    next,
    async take(count) {
      const taken: StreamMessage[] = [];
      while (taken.length < count) taken.push(await next());
      return taken;
    },
    comments: () => comments,
    async ended() {
      while (!hasEnded) await change();
      return waiting.splice(0);
    },
    leave: () => response.destroy(),
  };
}

export async function refusal(
  address: string,
  headers: Record<string, string> = {},
): Promise<{ status: number; headers: IncomingMessage['headers']; body: Record<string, unknown> }> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get(address, { headers, agent: false }, resolve).on('error', reject);
  });
  let text = '';
  for await (const chunk of response) text += String(chunk);
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    body: JSON.parse(text) as Record<string, unknown>,
  };
}
