/** One connection. It ends if the server is silent for too long. */
import {
  socketConversation,
  streamConversation,
  type Conversation,
  type ConversationPorts,
} from './conversation';
import type { FollowRules } from './follow-rules';
import { ACCOUNT, type EventPosition, type Refusal, type ServerMessage } from './server-messages';

export type LinkKind = 'socket' | 'stream';

/**
 * `key`: the key is not valid any more. `scope`: the key may not read the account. `Refusal`: the server will not
 * serve these channels. `other`: any other reason.
 */
export type CloseReason = 'key' | 'scope' | 'other' | Refusal;

export interface ConnectionEvents {
  message(message: ServerMessage): void;
  /** An item of a stream says that everything up to this position has been sent. */
  reached(position: EventPosition): void;
  /** The connection works, although there is no message. */
  alive(): void;
  /** Called when the connection ends, and when it could not be made. */
  closed(reason: CloseReason): void;
}
export interface LinkConnection {
  send(command: object): void;
  close(): void;
}
export interface Connectors {
  openSocket(events: ConnectionEvents): LinkConnection;
  openStream(
    request: { channels: readonly string[]; since: EventPosition | null; apiKey: string | null },
    events: ConnectionEvents,
  ): LinkConnection;
}
export interface Timers {
  /** Returns a function that cancels the call. */
  after(milliseconds: number, callback: () => void): () => void;
}

export interface Link {
  kind: LinkKind;
  isComplete(): boolean;
  isCaughtUp(): boolean;
  useKey(apiKey: string | null): boolean;
  useChannels(channels: readonly string[]): boolean;
  /** Closes the connection. The listener is not called any more. */
  close(): void;
}

/** The functions that a listener may leave out. Without `refused`, a refusal ends the connection. */
type Optional = Partial<Pick<ConversationPorts, 'refused' | 'left'>>;

export interface LinkListener extends Pick<ConversationPorts, 'event' | 'stale' | 'keyRefused'>, Optional {
  /** The server has sent its welcome. Called before the welcome is handled. */
  welcomed(): void;
  /** The key stays valid, but may not read the account. */
  scopeMissing(): void;
  /** Called at each heartbeat and each comment, because they prove that the connection works. */
  proved(): void;
  /** `isComplete` or `isCaughtUp` may have changed. */
  changed(): void;
  /** Called when the connection ends, also without a welcome. `close` does not call it. */
  ended(): void;
}

/** A connection without a welcome after this time is given up. */
const WELCOME_MS = 5_000;
/**
 * A connection without pings is given up after a silence of this many heartbeat intervals. On a stream the heartbeats
 * are comments.
 */
const MISSED_INTERVALS = 2.5;
const REPEAT_MS = 3_000;
/** A socket that does not answer a ping within this time is given up. */
const ANSWER_MS = 5_000;

export interface LinkRequest extends Pick<ConversationPorts, 'positions'> {
  kind: LinkKind;
  channels: readonly string[];
  apiKey: string | null;
  rules: FollowRules;
}

export function openLink(
  request: LinkRequest,
  { connectors, timers }: { connectors: Connectors; timers: Timers },
  listener: LinkListener,
): Link {
  const { kind, positions, apiKey } = request;
  const channels = kind === 'stream' && apiKey !== null ? [...request.channels, ACCOUNT] : request.channels;
  const since = kind === 'stream' ? positions.since(channels, null) : null;
  let over = false;
  const clock = createLinkClock(timers, end);
  const pingAfterMs = kind === 'socket' ? request.rules.pingAfterMs : undefined;

  function finish(): boolean {
    if (over) return false;
    over = true;
    clock.stop();
    connection.close();
    return true;
  }
  function end(): void {
    if (finish()) listener.ended();
  }

  const conversation = conversationOn(request, channels, since !== null, {
    ...listener,
    positions,
    later: clock.later,
    broken: end,
    refused: (refusedChannels, refusal) => {
      if (listener.refused === undefined) end();
      else listener.refused(refusedChannels, refusal);
    },
    left: (leftChannels) => listener.left?.(leftChannels),
    send: (command) => connection.send(command),
  });
  const events = untilOver(() => over, {
    message(message) {
      if (message.type === 'welcome') {
        clock.allowSilence(message.heartbeatSeconds * MISSED_INTERVALS * 1000);
        if (pingAfterMs !== undefined) clock.pingAfter(pingAfterMs, () => connection.send({ op: 'ping' }));
        listener.welcomed();
      }
      clock.heard();
      if (message.type === 'heartbeat') listener.proved();
      conversation.take(message);
      if (!over) listener.changed();
    },
    reached: ({ seq }) => positions.reach(channels, seq),
    alive() {
      clock.heard();
      listener.proved();
      conversation.alive();
      listener.changed();
    },
    closed(reason) {
      if (reason === 'key') listener.keyRefused();
      if (reason === 'scope') listener.scopeMissing();
      if (typeof reason === 'object') listener.refused?.(channels, reason);
      end();
    },
  });
  const connection: LinkConnection =
    kind === 'socket'
      ? connectors.openSocket(events)
      : connectors.openStream({ channels, since, apiKey }, events);
  return { ...conversation, kind, close: () => void finish() };
}

function conversationOn(
  request: LinkRequest,
  channels: readonly string[],
  resumes: boolean,
  ports: ConversationPorts,
): Conversation {
  return request.kind === 'socket'
    ? socketConversation(request, ports)
    : streamConversation({ ...request, channels }, resumes, ports);
}

function untilOver(isOver: () => boolean, events: ConnectionEvents): ConnectionEvents {
  const unlessOver =
    <T>(report: (told: T) => void) =>
    (told: T): void => {
      if (!isOver()) report(told);
    };
  return {
    message: unlessOver(events.message),
    reached: unlessOver(events.reached),
    alive: unlessOver<void>(events.alive),
    closed: unlessOver(events.closed),
  };
}

/** The timers of one connection. Calls `silent` if no sign of life comes in time. */
function createLinkClock(timers: Timers, silent: () => void) {
  let limitMs = WELCOME_MS;
  let cancelSilence = timers.after(limitMs, silent);
  let pinging: { afterMs: number; ping: () => void } | null = null;
  const repeats = new Set<() => void>();
  function pingNow(): void {
    pinging?.ping();
    cancelSilence = timers.after(ANSWER_MS, silent);
  }
  return {
    heard(): void {
      cancelSilence();
      cancelSilence =
        pinging === null ? timers.after(limitMs, silent) : timers.after(pinging.afterMs, pingNow);
    },
    /** Changes the time limit, from the next sign of life on. */
    allowSilence(milliseconds: number): void {
      limitMs = milliseconds;
    },
    /** Calls `ping` after this time of silence, from the next sign of life on. */
    pingAfter(afterMs: number, ping: () => void): void {
      pinging = { afterMs, ping };
    },
    later(callback: () => void): void {
      const cancel = timers.after(REPEAT_MS, () => {
        repeats.delete(cancel);
        callback();
      });
      repeats.add(cancel);
    },
    stop(): void {
      cancelSilence();
      for (const cancel of repeats) cancel();
    },
  };
}
