/** Whether the messages that a resumed connection had missed have come. */
import type { FollowRules } from './follow-rules';

export interface CatchUp {
  /** The server goes on after `since`, and had facts up to `head` when the client came. */
  resumed(since: number, head: number): void;
  /** Called when a message with this `seq` has come, or a snapshot as of this `seq`. */
  reached(seq: number): void;
  /** Called when the server has sent a sign of life, such as a heartbeat. */
  alive(): void;
  isDone(): boolean;
}

/**
 * On quiet channels no message may come that proves that nothing is outstanding. Between two signs of life lies a
 * whole interval in which the server had no message.
 */
const SIGNS_OF_SILENCE = 2;

/**
 * If each channel has a subscription of its own, each catches up by itself. Then no single message proves that all of
 * them have caught up.
 */
export function createCatchUp({ together }: Pick<FollowRules, 'together'>): CatchUp {
  let goal: number | null = null;
  let signsInARow = 0;
  return {
    resumed(since, head) {
      if (!together || since >= head) return;
      goal = head;
      signsInARow = 0;
    },
    reached(seq) {
      signsInARow = 0;
      if (goal !== null && seq >= goal) goal = null;
    },
    alive() {
      signsInARow += 1;
      if (signsInARow >= SIGNS_OF_SILENCE) goal = null;
    },
    isDone: () => goal === null,
  };
}
