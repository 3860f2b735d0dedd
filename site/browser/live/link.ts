/** One connection from its first attempt to its end, with the time limits that tell a dead one. */
import {
  socketConversation,
  streamConversation,
  type Conversation,
  type ConversationPorts,
} from './conversation';
import { ACCOUNT, type EventPosition, type ServerMessage } from './messages';

export type LinkKind = 'socket' | 'stream';

/** `key`: the key is not valid any more. `scope`: it may not read the account. */
export type EndReason = 'key' | 'scope' | 'other';

/** A connection as its edge reports it. */
export interface Wire {
  message(message: ServerMessage): void;
  /** An item of a stream says that everything up to this position has been sent. */
  reached(position: EventPosition): void;
  /** The connection lives, although there is nothing to tell. */
  alive(): void;
  /** Once, also when the connection was never made. */
  closed(reason: EndReason): void;
}
export interface Connection {
  send(command: object): void;
  close(): void;
}
export interface Connectors {
  openSocket(wire: Wire): Connection;
  openStream(
    request: { channels: readonly string[]; since: EventPosition | null; apiKey: string | null },
    wire: Wire,
  ): Connection;
}
export interface Timers {
  /** Calls back once after so many milliseconds. Returns a function that cancels the call. */
  after(milliseconds: number, callback: () => void): () => void;
}

export interface Link {
  kind: LinkKind;
  isComplete(): boolean;
  useKey(apiKey: string | null): boolean;
  /** Reports nothing afterwards. */
  close(): void;
}

export interface LinkListener extends Pick<ConversationPorts, 'event' | 'stale' | 'keyRefused'> {
  /** The server answers here. Called before anything else that the server says is looked at. */
  welcomed(): void;
  /** The key stays valid, but may not read the account. */
  scopeMissing(): void;
  /** A first sign of life after the welcome: the connection holds. */
  proved(): void;
  /** Something about the connection is different now. */
  changed(): void;
  /** Once. Also when there was no welcome. */
  ended(): void;
}

/** A connection without a welcome after this time is given up. */
const WELCOME_MS = 5_000;
/** This many intervals of heartbeats or comments without a sign of life are too many. */
const MISSED_INTERVALS = 2.5;
const REPEAT_MS = 3_000;

export interface LinkRequest extends Pick<ConversationPorts, 'positions'> {
  kind: LinkKind;
  channels: readonly string[];
  apiKey: string | null;
}

export function openLink(
  request: LinkRequest,
  { connectors, timers }: { connectors: Connectors; timers: Timers },
  listener: LinkListener,
): Link {
  const { kind, positions, apiKey } = request;
  const channels = kind === 'stream' && apiKey !== null ? [...request.channels, ACCOUNT] : request.channels;
  const since = kind === 'stream' ? positions.sinceOfAll(channels) : null;
  let over = false;
  let silentAfterMs = WELCOME_MS;
  let cancelSilence = timers.after(silentAfterMs, () => end());
  let cancelRepeats: (() => void)[] = [];

  function finish(): boolean {
    if (over) return false;
    over = true;
    cancelSilence();
    for (const cancel of cancelRepeats) cancel();
    connection.close();
    return true;
  }
  function end(): void {
    if (finish()) listener.ended();
  }
  function heard(): void {
    cancelSilence();
    cancelSilence = timers.after(silentAfterMs, () => end());
  }
  function later(callback: () => void): void {
    cancelRepeats = [...cancelRepeats, timers.after(REPEAT_MS, callback)];
  }

  const ports: ConversationPorts = {
    ...listener,
    positions,
    later,
    broken: end,
    send: (command) => connection.send(command),
  };
  const conversation: Conversation =
    kind === 'socket'
      ? socketConversation(channels, apiKey, ports)
      : streamConversation(channels, since !== null, apiKey, ports);

  const wire: Wire = {
    message(message) {
      if (over) return;
      if (message.type === 'welcome') {
        silentAfterMs = message.heartbeatSeconds * MISSED_INTERVALS * 1000;
        listener.welcomed();
      }
      heard();
      if (message.type === 'heartbeat') listener.proved();
      conversation.take(message);
      if (!over) listener.changed();
    },
    reached({ seq }) {
      if (!over) positions.reach(channels, seq);
    },
    alive() {
      if (over) return;
      heard();
      listener.proved();
    },
    closed(reason) {
      if (over) return;
      if (reason === 'key') listener.keyRefused();
      if (reason === 'scope') listener.scopeMissing();
      end();
    },
  };
  const connection: Connection =
    kind === 'socket'
      ? connectors.openSocket(wire)
      : connectors.openStream({ channels, since, apiKey }, wire);
  return {
    kind,
    isComplete: conversation.isComplete,
    useKey: conversation.useKey,
    close: () => void finish(),
  };
}
