/** The messages of the server on a socket or a stream, as far as clients read them (docs/live.md). */
import type { BalanceFigures, MarketSnapshot } from './messages.generated';

export type { BalanceFigures, MarketSnapshot };

export interface ChannelEvent {
  type: 'event';
  channel: string;
  event: string;
  seq: number;
  /** The `seq` of the previous message on this channel. `null`: the server does not know it. */
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
  /** The markets of the channels. */
  markets?: MarketSnapshot[];
  /** The balance, for the channel `account`. */
  account?: BalanceFigures;
}

export type ResyncReason = 'EPOCH' | 'SEQ_AHEAD' | 'RETENTION';

/** A refusal as the service words it (docs/errors.md). */
export interface Refusal {
  /** The code, such as `UNAUTHORIZED`. */
  code: string;
  /** The text for people. */
  message: string;
}

export interface EventPosition {
  /** The name of the sequence of facts. */
  epoch: string;
  /** The number of the last fact that the reader has. */
  seq: number;
}

/** The channel of the wallet that the key belongs to. */
export const ACCOUNT = 'account';

type Check = (value: unknown) => boolean;

const isText: Check = (value) => typeof value === 'string';
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;
const isChannels: Check = (value) => Array.isArray(value) && value.every(isText);
const isSnapshot: Check = (value) =>
  value === undefined ||
  (isObject(value) &&
    (value.markets === undefined || (Array.isArray(value.markets) && value.markets.every(isObject))));
const seq: Check = Number.isSafeInteger;

/** The fields that the client needs in each type of message. Other fields may be missing. */
const FIELDS = new Map<unknown, Readonly<Record<string, Check>>>(
  Object.entries<Readonly<Record<string, Check>>>({
    event: { channel: isText, event: isText, seq, data: isObject },
    welcome: { epoch: isText, seq, heartbeatSeconds: Number.isFinite },
    subscribed: { channels: isChannels, seq, snapshot: isSnapshot },
    resync: { channels: isChannels, seq, snapshot: isSnapshot },
    unsubscribed: { channels: isChannels },
    error: { code: isText },
  }),
);

/**
 * Reads a message. `null` if the text is no message, or if a field that the client needs is missing or wrong. A
 * message of an unknown type is accepted, because a newer service may have further types.
 */
export function readMessage(text: string): ServerMessage | null {
  try {
    const value: unknown = JSON.parse(text);
    if (!isObject(value) || !isText(value.type)) return null;
    const fields = Object.entries(FIELDS.get(value.type) ?? {});
    return fields.every(([name, check]) => check(value[name])) ? (value as unknown as ServerMessage) : null;
  } catch {
    return null;
  }
}
