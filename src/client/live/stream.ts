/**
 * The edge to the API's stream. It uses `fetch`, because an `EventSource` sends no headers, and an address must
 * not contain the key.
 */
import { createStreamReader, readId } from './event-stream';
import { readMessage, type EventPosition } from './messages';
import type { Connection, EndReason, Wire } from './link';

export interface StreamRequest {
  channels: readonly string[];
  since: EventPosition | null;
  apiKey: string | null;
}

export function openStream(address: string, request: StreamRequest, wire: Wire): Connection {
  const abort = new AbortController();
  read(address, request, wire, abort.signal).then(wire.closed, () => wire.closed('other'));
  return { send: () => undefined, close: () => abort.abort() };
}

async function read(
  address: string,
  { channels, since, apiKey }: StreamRequest,
  wire: Wire,
  signal: AbortSignal,
): Promise<EndReason> {
  const headers: Record<string, string> = { Accept: 'text/event-stream' };
  if (apiKey !== null) headers['X-API-Key'] = apiKey;
  if (since !== null) headers['Last-Event-ID'] = `${since.epoch}:${since.seq}`;
  const query = new URLSearchParams({ channels: channels.join(',') }).toString();
  // The types of Node do not know `cache`, which browsers need.
  const init: RequestInit & { cache: 'no-store' } = { headers, signal, cache: 'no-store' };
  const response = await fetch(`${address}?${query}`, init);
  if (response.status === 401 && apiKey !== null) return 'key';
  if (response.status === 403 && apiKey !== null) return 'scope';
  if (!response.ok || response.body === null) return 'other';
  const take = createStreamReader(({ id, data }) => {
    const message = readMessage(data);
    if (message !== null) wire.message(message);
    const position = id === null ? null : readId(id);
    if (position !== null) wire.reached(position);
  }, wire.alive);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return 'other';
    take(value);
  }
}
