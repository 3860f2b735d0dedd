/**
 * Opens the API's stream of server-sent events with `fetch`, because an `EventSource` cannot send the key in a
 * header.
 */
import { createEventStreamParser, readId } from './event-stream';
import { readMessage, type EventPosition, type Refusal } from './server-messages';
import type { LinkConnection, CloseReason, ConnectionEvents } from './link';

type Fetch = typeof globalThis.fetch;

export interface StreamRequest {
  channels: readonly string[];
  since: EventPosition | null;
  apiKey: string | null;
}

/** Statuses with which the server refuses these channels for good. */
const REFUSED: ReadonlySet<number> = new Set([400, 401, 403, 404]);

export function openStream(
  fetch: Fetch,
  address: string,
  request: StreamRequest,
  events: ConnectionEvents,
): LinkConnection {
  const abort = new AbortController();
  read(fetch, address, request, events, abort.signal).then(events.closed, () => events.closed('other'));
  return { send: () => undefined, close: () => abort.abort() };
}

async function read(
  fetch: Fetch,
  address: string,
  { channels, since, apiKey }: StreamRequest,
  events: ConnectionEvents,
  signal: AbortSignal,
): Promise<CloseReason> {
  const headers: Record<string, string> = { Accept: 'text/event-stream' };
  if (apiKey !== null) headers['X-API-Key'] = apiKey;
  if (since !== null) headers['Last-Event-ID'] = `${since.epoch}:${since.seq}`;
  const query = new URLSearchParams({ channels: channels.join(',') }).toString();
  // The types of Node do not know `cache`, which browsers need.
  const init: RequestInit & { cache: 'no-store' } = {
    ...{ headers, signal, cache: 'no-store' },
    // A followed redirect could send the key to another host.
    redirect: 'manual',
  };
  const response = await fetch(`${address}?${query}`, init);
  if (response.status === 401 && apiKey !== null) return 'key';
  if (response.status === 403 && apiKey !== null) return 'scope';
  if (REFUSED.has(response.status)) return (await refusalOf(response)) ?? 'other';
  if (!response.ok || response.body === null) return 'other';
  const take = createEventStreamParser(({ id, data }) => {
    const message = readMessage(data);
    // The error ends the connection, because old data could otherwise be shown as live. Its text would be shown to no
    // caller.
    if (message === null) throw new Error();
    events.message(message);
    const position = id === null ? null : readId(id);
    if (position !== null) events.reached(position);
  }, events.alive);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return 'other';
    take(value);
  }
}

/** Reads the refusal. `null`: the answer is not from the service. */
async function refusalOf(response: Response): Promise<Refusal | null> {
  const { code, message } = Object(await response.json().catch(() => null)) as Record<string, unknown>;
  if (typeof code !== 'string') return null;
  return { code, message: typeof message === 'string' ? message : code };
}
