/** What a client and the server say on one connection, from `welcome` on. Does not know how messages are carried. */
import { createCommands, type CommandPorts, type OpenCommand } from './commands';
import { ACCOUNT, type ServerMessage, type Snapshot } from './messages';
import type { FeedListener } from './feed';
import type { EventPositions } from './event-positions';

export interface Conversation {
  take(message: ServerMessage): void;
  /** Whether every channel that the client follows is confirmed. */
  isComplete(): boolean;
  /** Follows the wallet of this key on the same connection. `false`: a new connection is needed. */
  useKey(apiKey: string | null): boolean;
}

export interface ConversationPorts extends Pick<FeedListener, 'event' | 'stale' | 'keyRefused'> {
  positions: EventPositions;
  send: CommandPorts['send'];
  /** Calls back after a while, unless the connection has ended by then. */
  later(callback: () => void): void;
  /** The connection is of no use any more. */
  broken(): void;
}

/** After these refusals the client sends the same command again. */
const TEMPORARY: ReadonlySet<string> = new Set(['SERVICE_UNAVAILABLE', 'RATE_LIMIT_EXCEEDED']);

/** On a socket each channel is subscribed by a command of its own, so each resumes at its own position. */
export function socketConversation(
  channels: readonly string[],
  apiKey: string | null,
  ports: ConversationPorts,
): Conversation {
  const channelWork = channelMessages(ports);
  const commands = createCommands(ports);
  const unconfirmed = new Set(channels);
  let key = apiKey;
  /** `null` before the welcome. */
  let head: number | null = null;

  function followAccount(presented: string): void {
    unconfirmed.add(ACCOUNT);
    commands.authenticate(presented);
  }

  function welcomed(epoch: string, seq: number): void {
    head = seq;
    ports.positions.enter(epoch);
    for (const channel of channels) commands.subscribe(channel, seq);
    if (key !== null) followAccount(key);
  }

  function refused({ channel, again }: OpenCommand, code: string): void {
    if (TEMPORARY.has(code)) {
      ports.later(again);
    } else if (channel === ACCOUNT) {
      unconfirmed.delete(ACCOUNT);
      if (code === 'UNAUTHORIZED') ports.keyRefused();
    } else {
      ports.broken();
    }
  }

  function answered(answer: Answer): void {
    const command = commands.answered(answer.id);
    if (answer.type === 'authenticated') commands.subscribe(ACCOUNT, head ?? 0);
    if (answer.type === 'error' && command !== undefined) refused(command, answer.code);
    if (answer.type !== 'subscribed') return;
    for (const channel of answer.channels) unconfirmed.delete(channel);
    if (command?.fresh === true) channelWork.begin(answer.channels, answer);
  }

  return {
    take(message) {
      if (message.type === 'welcome') welcomed(message.epoch, message.seq);
      else if (isAnswer(message)) answered(message);
      else channelWork.take(message);
    },
    isComplete: () => head !== null && unconfirmed.size === 0,
    useKey(next) {
      if (next === key) return true;
      if (key !== null || next === null) return false;
      key = next;
      if (head !== null) followAccount(next);
      return true;
    },
  };
}

type Answer = Extract<ServerMessage, { type: 'authenticated' | 'subscribed' | 'error' }>;

function isAnswer(message: ServerMessage): message is Answer {
  return ['authenticated', 'subscribed', 'error'].includes(message.type);
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
    // The server sends these channels no longer, so the ids of the stream do not cover them.
    if (message.type === 'unsubscribed') for (const channel of message.channels) positions.forget(channel);
    if (message.type !== 'event') return;
    const judgement = positions.take(message);
    if (judgement === 'new') event(message);
    if (judgement === 'gap') broken();
  }
  return { begin, take };
}
