import { createClientFeed, type ClientFeed, type FeedStatus } from '../../../src/client/live/client-feed';
import type { FollowRules } from '../../../src/client/live/follow-rules';
import type { Connectors, LinkKind, ConnectionEvents } from '../../../src/client/live/link';
import type { ChannelEvent, EventPosition, ServerMessage } from '../../../src/client/live/server-messages';
import { manualTimers, type ManualTimers } from '../../jobs/manual-timers';

export interface FakeConnection {
  kind: LinkKind;
  wire: ConnectionEvents;
  sent: Record<string, unknown>[];
  request?: Parameters<Connectors['openStream']>[0];
  isOpen: boolean;
}

export interface Bench {
  feed: ClientFeed;
  timers: ManualTimers;
  connections: FakeConnection[];
  last(): FakeConnection;
  told: string[];
  statuses: FeedStatus[];
  asks: { answer(ok: boolean): Promise<void> }[];
}

const PAGE: FollowRules = { conflated: new Set(['prices']), mostMissed: 5_000, together: false };

export function feedOf(channels: readonly string[], random = () => 0.5, rules = PAGE): Bench {
  const timers = manualTimers();
  const connections: FakeConnection[] = [];
  const told: string[] = [];
  const statuses: FeedStatus[] = [];
  const asks: Bench['asks'] = [];
  const open = (kind: LinkKind, wire: ConnectionEvents, request?: FakeConnection['request']) => {
    const connection: FakeConnection = {
      kind,
      wire,
      sent: [],
      isOpen: true,
      ...(request !== undefined && { request }),
    };
    connections.push(connection);
    return {
      send: (command: object) => void connection.sent.push(command as Record<string, unknown>),
      close: () => (connection.isOpen = false),
    };
  };
  const feed = createClientFeed(
    { channels, rules },
    {
      timers,
      random,
      connectors: {
        openSocket: (wire) => open('socket', wire),
        openStream: (request, wire) => open('stream', wire, request),
      },
      ask: () =>
        new Promise<void>((resolve, reject) => {
          asks.push({
            async answer(ok) {
              if (ok) resolve();
              else reject(new Error('no answer'));
              await new Promise((turn) => setImmediate(turn));
            },
          });
        }),
    },
    {
      event: ({ channel, seq }) => void told.push(`${channel} ${seq}`),
      stale: ({ channels: staleChannels, seq }) =>
        void told.push(`read ${staleChannels.join(' ')} at ${seq}`),
      keyRefused: () => void told.push('key refused'),
      status: (status) => void statuses.push(status),
    },
  );
  const last = (): FakeConnection => {
    const connection = connections.at(-1);
    if (connection === undefined) throw new Error('There is no connection');
    return connection;
  };
  return { feed, timers, connections, last, told, statuses, asks };
}

export function welcome(seq: number, epoch = 'e1'): ServerMessage {
  return { type: 'welcome', epoch, seq, heartbeatSeconds: 20 };
}
export function subscribed(id: number, channels: string[], seq: number): ServerMessage {
  return { type: 'subscribed', id, channels, seq };
}
export function event(channel: string, seq: number, prev: number | null): ChannelEvent {
  return { type: 'event', channel, event: 'trade', seq, prev, ts: '2026-11-22T00:00:00.000Z', data: {} };
}

export function accept({ wire, sent, request }: FakeConnection, head: number, epoch = 'e1'): void {
  wire.message(welcome(head, epoch));
  if (request !== undefined) {
    wire.message({ type: 'subscribed', channels: [...request.channels], seq: head });
    return;
  }
  for (const command of [...sent]) {
    const { op, id, channels } = command as { op: string; id: number; channels: string[] };
    if (op === 'subscribe') wire.message(subscribed(id, channels, head));
  }
}

export function sinceOf(command: Record<string, unknown> | undefined): EventPosition | null {
  return (command?.since as EventPosition | undefined) ?? null;
}
