/** The messages of the feed as `text/event-stream` (docs/live.md). */
import type { EventPosition } from '../../domain/event-position';
import type { FeedMessage } from '../feed/feed-message';

/** A comment, which the client ignores. Comments keep proxies from closing a quiet stream. */
export const COMMENT = ': nothing new\n\n';

/**
 * One item of the stream. `id` is a position. After this item, the client has every message of its channels
 * up to the position.
 */
export function item(text: string, id: EventPosition | null = null): string {
  return `${id === null ? '' : `id: ${id.epoch}:${id.seq}\n`}data: ${text}\n\n`;
}

/**
 * The items of messages. Of the messages of one fact only the last message has an id. So a client that was cut off
 * between these messages resumes before the fact, and loses no message.
 */
export function items(epoch: string, messages: readonly Pick<FeedMessage, 'seq' | 'text'>[]): string {
  return messages
    .map(({ seq, text }, index) => item(text, messages[index + 1]?.seq === seq ? null : { epoch, seq }))
    .join('');
}
