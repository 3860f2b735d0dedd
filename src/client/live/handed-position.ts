/** The position up to which the caller of an iterator has every message. */
import type { LiveMessage } from './live-messages';
import type { EventPosition } from './server-messages';

export interface HandedPosition {
  note(message: LiveMessage): void;
  position(): EventPosition | null;
}

/**
 * Makes the position, which `note` moves on. All channels except the conflated ones must share one subscription, which
 * sends their messages in the order of `seq`. A conflated channel has no position.
 */
export function createHandedPosition(
  channels: readonly string[],
  conflated: ReadonlySet<string>,
  since: EventPosition | null,
): HandedPosition {
  let position = since;
  // With several channels, further messages of the same fact may follow.
  const isAlone = channels.filter((channel) => !conflated.has(channel)).length === 1;

  function reach(seq: number): void {
    if (position !== null && seq > position.seq) position = { ...position, seq };
  }

  return {
    note(message) {
      if (message.type === 'event') {
        if (!conflated.has(message.channel)) reach(isAlone ? message.seq : message.seq - 1);
      } else if (message.channels.some((channel) => !conflated.has(channel))) {
        position = { epoch: message.epoch, seq: message.seq };
      }
    },
    position: () => position,
  };
}
