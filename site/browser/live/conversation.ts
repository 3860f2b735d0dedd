/** What a page and the server say on one connection, from `welcome` on. Knows nothing of how it is carried. */
import { ACCOUNT, isConflated, type ServerMessage, type Snapshot } from './messages';
import type { FeedListener } from './feed';
import type { EventPositions } from './event-positions';

export interface Conversation {
  take(message: ServerMessage): void;
  /** Whether every channel that the page follows is confirmed. */
  isComplete(): boolean;
  /** Follows the wallet of this key on the same connection. `false`: a new connection is needed. */
  useKey(apiKey: string | null): boolean;
}

export interface ConversationPorts extends Pick<FeedListener, 'event' | 'stale' | 'keyRefused'> {
  positions: EventPositions;
  send(command: object): void;
  /** Calls back after a while, unless the connection has ended by then. */
  later(callback: () => void): void;
  /** The connection is of no use any more. */
  broken(): void;
}

/** Refusals that pass by themselves. */
const TEMPORARY: ReadonlySet<string> = new Set(['SERVICE_UNAVAILABLE', 'RATE_LIMIT_EXCEEDED']);

/** On a socket each channel is subscribed by a command of its own, so each resumes at its own position. */
export function socketConversation(
  channels: readonly string[],
  apiKey: string | null,
  ports: ConversationPorts,
): Conversation {
  const { positions, send } = ports;
  const channelWork = channelMessages(ports);
  const unconfirmed = new Set(channels);
  /** What was asked, by the id of the command. */
  const asked = new Map<number, { channel: string; again(): void; fresh: boolean }>();
  let key = apiKey;
  let lastId = 0;
  let head: number | null = null;

  function subscribe(channel: string): void {
    const since = positions.since(channel, head ?? 0);
    lastId += 1;
    asked.set(lastId, { channel, fresh: since === null, again: () => subscribe(channel) });
    send({
      op: 'subscribe',
      id: lastId,
      channels: [channel],
      ...(since !== null && { since }),
      ...(isConflated(channel) && { conflate: true }),
    });
  }

  function authenticate(presented: string): void {
    unconfirmed.add(ACCOUNT);
    lastId += 1;
    asked.set(lastId, { channel: ACCOUNT, fresh: false, again: () => authenticate(presented) });
    send({ op: 'auth', id: lastId, apiKey: presented });
  }

  function refused(id: number, code: string): void {
    const question = asked.get(id);
    asked.delete(id);
    if (question === undefined) return;
    if (TEMPORARY.has(code)) {
      ports.later(question.again);
    } else if (question.channel === ACCOUNT) {
      unconfirmed.delete(ACCOUNT);
      if (code === 'UNAUTHORIZED') ports.keyRefused();
    } else {
      ports.broken();
    }
  }

  return {
    take(message) {
      switch (message.type) {
        case 'welcome':
          head = message.seq;
          positions.enter(message.epoch);
          for (const channel of channels) subscribe(channel);
          if (key !== null) authenticate(key);
          break;
        case 'authenticated':
          asked.delete(message.id);
          subscribe(ACCOUNT);
          break;
        case 'subscribed': {
          const question = asked.get(message.id ?? 0);
          asked.delete(message.id ?? 0);
          for (const channel of message.channels) unconfirmed.delete(channel);
          if (question?.fresh === true) channelWork.begin(message.channels, message);
          break;
        }
        case 'error':
          refused(message.id ?? 0, message.code);
          break;
        default:
          channelWork.take(message);
      }
    },
    isComplete: () => head !== null && unconfirmed.size === 0,
    useKey(next) {
      if (next === key) return true;
      if (key !== null || next === null) return false;
      key = next;
      if (head !== null) authenticate(next);
      return true;
    },
  };
}

/** The address of a stream names all its channels, and where it resumes. */
export function streamConversation(
  channels: readonly string[],
  resumes: boolean,
  apiKey: string | null,
  ports: ConversationPorts,
): Conversation {
  const channelWork = channelMessages(ports);
  let complete = false;
  return {
    take(message) {
      if (message.type === 'welcome') {
        ports.positions.enter(message.epoch);
      } else if (message.type === 'subscribed') {
        complete = true;
        if (!resumes) channelWork.begin(channels, message);
      } else {
        channelWork.take(message);
      }
    },
    isComplete: () => complete,
    useKey: (next) => next === apiKey,
  };
}

/** What both kinds of connection do with the messages of channels. */
function channelMessages({ positions, event, stale, broken }: ConversationPorts) {
  function begin(channels: readonly string[], { seq, snapshot }: { seq: number; snapshot?: Snapshot }): void {
    for (const channel of channels) positions.begin(channel, seq);
    stale(channels, seq, snapshot ?? {});
  }
  function take(message: ServerMessage): void {
    if (message.type === 'resync') begin(message.channels, message);
    if (message.type !== 'event') return;
    const judgement = positions.take(message);
    if (judgement === 'new') event(message);
    if (judgement === 'gap') broken();
  }
  return { begin, take };
}
