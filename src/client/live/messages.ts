/** The messages of the socket and of the stream, as far as clients read them (docs/live.md). */

export interface ChannelEvent {
  type: 'event';
  channel: string;
  event: string;
  seq: number;
  /** The `seq` of the message before on this channel. `null`: the server does not know it. */
  prev?: number | null;
  ts: string;
  data: unknown;
}

export type ServerMessage =
  | ChannelEvent
  | { type: 'welcome'; epoch: string; seq: number; heartbeatSeconds: number }
  | { type: 'authenticated'; id: number }
  | { type: 'subscribed'; id?: number; channels: string[]; seq: number; snapshot?: Snapshot }
  | { type: 'resync'; channels: string[]; seq: number; snapshot?: Snapshot }
  | { type: 'unsubscribed'; channels: string[] }
  | { type: 'error'; id?: number; code: string }
  | { type: 'heartbeat' };

export interface Funds {
  balance: number;
  reserved: number;
  available: number;
}
export interface Snapshot {
  account?: Funds;
}

export interface EventPosition {
  epoch: string;
  seq: number;
}

/** The name of the channel of the wallet that a key belongs to. */
export const ACCOUNT = 'account';

/** A client that shows prices of many markets needs the last price of each, not every price on the way. */
export function isConflated(channel: string): boolean {
  return channel === 'prices';
}

/** A text that is no JSON object with a type becomes `null`. */
export function readMessage(text: string): ServerMessage | null {
  try {
    const value: unknown = JSON.parse(text);
    const readable = typeof value === 'object' && value !== null && 'type' in value;
    return readable ? (value as ServerMessage) : null;
  } catch {
    return null;
  }
}
