/** The messages of the feed as `text/event-stream` (docs/live.md). */
import type { EventPosition } from '../../domain/event-position';
import type { FeedMessage } from '../feed/message';

/** The client ignores it. It keeps proxies from closing a quiet stream. */
export const COMMENT = ': nothing new\n\n';

/** `id`: everything on the channels of the stream up to this position has been sent with this message. */
export function item(text: string, id: EventPosition | null = null): string {
  return `${id === null ? '' : `id: ${id.epoch}:${id.seq}\n`}data: ${text}\n\n`;
}

/**
 * Of the messages of one fact only the last has an id. A client that was cut off between them resumes before
 * the fact, and loses none.
 */
export function items(epoch: string, messages: readonly Pick<FeedMessage, 'seq' | 'text'>[]): string {
  return messages
    .map(({ seq, text }, index) => item(text, messages[index + 1]?.seq === seq ? null : { epoch, seq }))
    .join('');
}
