/** Whether the messages that a resumed connection had missed have come. */
import type { FollowRules } from './follow-rules';

export interface CatchUp {
  /** The server goes on after `since`, and had facts up to `head` when the client came. */
  resumed(since: number, head: number): void;
  /** A message with this `seq` has come, or the state as of it. */
  reached(seq: number): void;
  /** The server lives and had no message to send. */
  quiet(): void;
  isDone(): boolean;
}

/**
 * On quiet channels there may be no message that proves that nothing is outstanding. After two signs of life there was a whole
 * interval of silence between them.
 */
const SIGNS_OF_SILENCE = 2;

/** Channels that are subscribed one by one catch up one by one, so no message tells of all of them. */
export function createCatchUp({ together }: Pick<FollowRules, 'together'>): CatchUp {
  let goal: number | null = null;
  let signs = 0;
  return {
    resumed(since, head) {
      if (!together || since >= head) return;
      goal = head;
      signs = 0;
    },
    reached(seq) {
      signs = 0;
      if (goal !== null && seq >= goal) goal = null;
    },
    quiet() {
      signs += 1;
      if (signs >= SIGNS_OF_SILENCE) goal = null;
    },
    isDone: () => goal === null,
  };
}
