/** The messages of the socket and of the stream, as far as clients read them (docs/live.md). */
import type { BalanceFigures, MarketSnapshot } from './messages.generated';

export type { BalanceFigures, MarketSnapshot };

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
  | {
      type: 'resync';
      channels: string[];
      epoch?: string;
      reason?: ResyncReason;
      seq: number;
      snapshot?: Snapshot;
    }
  | { type: 'unsubscribed'; id?: number | null; channels: string[] }
  | { type: 'error'; id?: number; code: string; message?: string }
  | { type: 'heartbeat' };

export interface Snapshot {
  markets?: MarketSnapshot[];
  account?: BalanceFigures;
}

export type ResyncReason = 'EPOCH' | 'SEQ_AHEAD' | 'RETENTION';

/** A refusal as the service words it (docs/errors.md). */
export interface Refusal {
  code: string;
  message: string;
}

export interface EventPosition {
  epoch: string;
  seq: number;
}

/** The name of the channel of the wallet that a key belongs to. */
export const ACCOUNT = 'account';

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
