/** Handles the messages of channels, for sockets and for streams. */
import type { ResumeProgress } from './resume-progress';
import type { BeginReason, EventPositions } from './event-positions';
import type { ChannelEvent, EventPosition, ServerMessage, Snapshot } from './server-messages';

/** The report that channels begin: the client gets their messages after `seq`, and not the earlier messages. */
export interface ChannelBeginning extends EventPosition {
  /** The channels that begin. */
  channels: readonly string[];
  /** The state of the channels as of `seq`, if they have one. */
  snapshot: Snapshot;
  /** Why the channels begin. */
  reason: BeginReason;
}

export interface ChannelWorkPorts {
  positions: EventPositions;
  /** Called once with each message of a channel, in order. */
  event(event: ChannelEvent): void;
  /** The messages up to `seq` are not sent, so the client has to read its data as of `seq` or later. */
  stale(beginning: ChannelBeginning): void;
  /** The key lacks the scope of these channels. */
  left(channels: readonly string[]): void;
  /** A message was lost, so the connection has to be replaced. */
  broken(): void;
}

export interface ChannelWork {
  begin(channels: readonly string[], told: { seq: number; snapshot?: Snapshot }): void;
  take(message: ServerMessage): void;
}

export function createChannelWork(
  { positions, event, stale, left, broken }: ChannelWorkPorts,
  resumeProgress: ResumeProgress,
): ChannelWork {
  function begin(
    channels: readonly string[],
    { seq, snapshot = {} }: { seq: number; snapshot?: Snapshot },
    told?: BeginReason,
  ): void {
    const reason = positions.begin(channels, seq);
    // The state that the client begins with contains what was missed.
    resumeProgress.reached(channels, Infinity);
    stale({ channels, epoch: positions.epoch(), seq, snapshot, reason: told ?? reason });
  }

  function takeEvent(message: ChannelEvent): void {
    const judgement = positions.take(message);
    if (judgement === 'gap') return broken();
    resumeProgress.reached([message.channel], message.seq);
    if (judgement === 'new') event(message);
  }

  return {
    begin: (channels, told) => begin(channels, told),
    take(message) {
      if (message.type === 'resync') begin(message.channels, message, message.reason);
      if (message.type === 'event') takeEvent(message);
      if (message.type === 'heartbeat') resumeProgress.alive();
      if (message.type !== 'unsubscribed') return;
      // The server does not send these channels any more, so the ids of the stream say nothing about them.
      for (const channel of message.channels) positions.forget(channel);
      if (message.id === null) left(message.channels);
    },
  };
}
