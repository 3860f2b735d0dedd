/** Tells whether the messages that the client had missed before this connection have arrived. */
import type { FollowRules } from './follow-rules';

export interface ResumeProgress {
  /**
   * The server continues after `since`. When the client connected, the newest fact of the server was `head`.
   */
  resumed(since: number, head: number): void;
  /** A message with this `seq` has come on one of `channels`. `Infinity`: their present state has come. */
  reached(channels: readonly string[], seq: number): void;
  /** Called at the server's heartbeats and comments. */
  alive(): void;
  isDone(): boolean;
}

/**
 * A quiet channel has no message that proves that the client has everything. Two heartbeats or comments in a row prove
 * it too: the server had no message to send between them.
 */
const SIGNS_OF_SILENCE = 2;

/**
 * Without `together` each channel has a subscription of its own, so no single message proves that all of them have
 * caught up. Progress is not tracked then, and `isDone` is always true.
 */
export function createResumeProgress({
  together,
  conflated,
}: Pick<FollowRules, 'together' | 'conflated'>): ResumeProgress {
  let goal: number | null = null;
  let signsInARow = 0;
  return {
    resumed(since, head) {
      if (!together || since >= head) return;
      goal = head;
      signsInARow = 0;
    },
    reached(channels, seq) {
      signsInARow = 0;
      // A conflated channel begins anew on each connection, so it says nothing about missed messages.
      if (channels.every((channel) => conflated.has(channel))) return;
      if (goal !== null && seq >= goal) goal = null;
    },
    alive() {
      signsInARow += 1;
      if (signsInARow >= SIGNS_OF_SILENCE) goal = null;
    },
    isDone: () => goal === null,
  };
}
