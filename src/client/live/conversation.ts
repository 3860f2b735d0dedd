/** What a client and the server say to each other on one socket or stream. */
import { createResumeProgress, type ResumeProgress } from './resume-progress';
import { createChannelWork, type ChannelWorkPorts } from './channel-work';
import { createCommandSender, type CommandSenderPorts, type OpenCommand } from './command-sender';
import { subscriptionsOf, type FollowRules } from './follow-rules';
import { ACCOUNT, type ChannelEvent, type Refusal, type ServerMessage } from './server-messages';
import type { EventPositions } from './event-positions';

export interface Conversation {
  take(message: ServerMessage): void;
  /** The connection works, although there is no message. */
  alive(): void;
  /** Whether every channel that the client follows is confirmed. */
  isComplete(): boolean;
  /** Whether the messages that were missed before this connection have come, as far as that is known. */
  isCaughtUp(): boolean;
  /** Follows the wallet of this key on the same connection. `false`: this needs a new connection. */
  useKey(apiKey: string | null): boolean;
  /** Follows these channels, and no others, on the same connection. `false`: this needs a new connection. */
  useChannels(channels: readonly string[]): boolean;
}

export interface ConversationPorts extends ChannelWorkPorts {
  positions: EventPositions;
  send: CommandSenderPorts['send'];
  /** Calls back after a while. If the connection ends before that, there is no call. */
  later(callback: () => void): void;
  keyRefused(): void;
  refused(channels: readonly string[], refusal: Refusal): void;
}

export interface ConversationOptions {
  channels: readonly string[];
  apiKey: string | null;
  rules: FollowRules;
}

/** After these refusals the client sends the same command again. */
const TEMPORARY: ReadonlySet<string> = new Set(['SERVICE_UNAVAILABLE', 'RATE_LIMIT_EXCEEDED']);

export function socketConversation(
  { channels, apiKey, rules }: ConversationOptions,
  ports: ConversationPorts,
): Conversation {
  const resumeProgress = createResumeProgress(rules);
  const channelWork = createChannelWork({ ...ports, event: takeEvent }, resumeProgress);
  const commands = createCommandSender({ ...ports, conflated: rules.conflated });
  let followed = channels;
  let key = apiKey;
  const unconfirmed = new Set(wanted());
  /** The `seq` of the server's newest fact at the welcome. `null` before the welcome. */
  let head: number | null = null;

  function wanted(): readonly string[] {
    return key === null ? followed : [...followed, ACCOUNT];
  }
  function subscribe(isAccount: boolean): void {
    for (const group of subscriptionsOf(wanted(), rules))
      if (group.includes(ACCOUNT) === isAccount) commands.subscribe(group, head ?? 0);
  }

  function takeEvent(event: ChannelEvent): void {
    // A subscription sends its messages in the order of `seq`, so every message before this fact has come.
    if (rules.together && !rules.conflated.has(event.channel)) ports.positions.reach(wanted(), event.seq - 1);
    ports.event(event);
  }

  function followAccount(presented: string): void {
    unconfirmed.add(ACCOUNT);
    commands.authenticate(presented);
  }

  function welcomed(epoch: string, seq: number): void {
    head = seq;
    ports.positions.enter(epoch);
    subscribe(false);
    if (key !== null) followAccount(key);
  }

  function refused(
    { channels: refusedChannels, again }: OpenCommand,
    { code, message = '' }: RefusedAnswer,
  ): void {
    const isAccountAlone = refusedChannels.every((channel) => channel === ACCOUNT);
    if (TEMPORARY.has(code)) {
      ports.later(() => again((channel) => wanted().includes(channel)));
    } else if (isAccountAlone && !rules.together) {
      unconfirmed.delete(ACCOUNT);
      if (code === 'UNAUTHORIZED') ports.keyRefused();
      else ports.left([ACCOUNT]);
    } else {
      ports.refused(refusedChannels, { code, message });
    }
  }

  function answered(answer: Answer): void {
    const command = commands.answered(answer.id ?? undefined);
    if (answer.type === 'authenticated') subscribe(true);
    if (answer.type === 'error' && command !== undefined) refused(command, answer);
    // Without an open command, the client has left these channels.
    if (answer.type !== 'subscribed' || command === undefined) return;
    for (const channel of answer.channels) unconfirmed.delete(channel);
    if (command.fresh) channelWork.begin(answer.channels, answer);
    else resumeProgress.resumed(answer.seq, head ?? 0);
  }

  return {
    take(message) {
      if (message.type === 'welcome') welcomed(message.epoch, message.seq);
      else if (isAnswer(message)) answered(message);
      else if (message.type === 'unsubscribed') commands.answered(message.id ?? undefined);
      channelWork.take(message);
    },
    alive: resumeProgress.alive,
    isComplete: () => head !== null && unconfirmed.size === 0,
    isCaughtUp: resumeProgress.isDone,
    useKey(next) {
      if (next === key) return true;
      if (key !== null || next === null || rules.together) return false;
      key = next;
      if (head !== null) followAccount(next);
      return true;
    },
    useChannels(next) {
      if (rules.together) return false;
      const added = next.filter((channel) => !followed.includes(channel));
      const left = followed.filter((channel) => !next.includes(channel));
      followed = next;
      for (const channel of added) unconfirmed.add(channel);
      for (const channel of left) unconfirmed.delete(channel);
      if (head === null) return true;
      for (const channel of added) commands.subscribe([channel], head);
      if (left.length > 0) commands.unsubscribe(left);
      return true;
    },
  };
}

type Answer = Extract<ServerMessage, { type: 'authenticated' | 'subscribed' | 'error' }>;
type RefusedAnswer = Extract<ServerMessage, { type: 'error' }>;

function isAnswer(message: ServerMessage): message is Answer {
  return ['authenticated', 'subscribed', 'error'].includes(message.type);
}

/** A stream takes no commands. Its request names the channels and the position from which it resumes. */
export function streamConversation(
  { channels, apiKey, rules }: ConversationOptions,
  resumes: boolean,
  ports: ConversationPorts,
): Conversation {
  const resumeProgress: ResumeProgress = createResumeProgress(rules);
  const channelWork = createChannelWork(ports, resumeProgress);
  let complete = false;
  let head = 0;
  return {
    take(message) {
      if (message.type === 'welcome') {
        head = message.seq;
        ports.positions.enter(message.epoch);
      } else if (message.type === 'subscribed') {
        complete = true;
        if (resumes) resumeProgress.resumed(message.seq, head);
        else channelWork.begin(channels, message);
      } else {
        channelWork.take(message);
      }
    },
    alive: resumeProgress.alive,
    isComplete: () => complete,
    isCaughtUp: resumeProgress.isDone,
    useKey: (next) => next === apiKey,
    useChannels: () => false,
  };
}
