/** One stream: writes what the feed hands out to the response of a client. */
import type { ServerResponse } from 'node:http';
import type { EventPosition } from '../../domain/event-position';
import type { ControlMessage, WelcomeMessage } from '../../events/protocol';
import type { Timers } from '../../ports/timers';
import type { FeedBatch, FeedReader, Subscribed } from '../feed/types';
import { COMMENT, item } from './event-stream-text';

/** A client that does not take the end of its stream within this time is cut off. */
const LAST_WRITE_MS = 5_000;

const HEADERS = {
  'Content-Type': 'text/event-stream',
  // A proxy or a compressing middleware that transforms the stream would delay messages.
  'Cache-Control': 'no-store, no-transform',
  'X-Accel-Buffering': 'no',
  'X-Content-Type-Options': 'nosniff',
};

export interface StreamReader extends FeedReader {
  begin(welcome: Omit<WelcomeMessage, 'type'>, subscribed: Subscribed): void;
  comment(): void;
}

export interface StreamReaderParts {
  /** The same function for all streams, so that they share the text of a batch. */
  encode(batch: FeedBatch): string;
  /**
   * If more bytes than this wait for a client that is behind, the client is cut off. It can resume from the last id
   * that it has got.
   */
  waitingBytesLimit: number;
  timers: Timers;
}

/** Compressing middleware adds `flush` to responses, and holds written bytes back until `flush` is called. */
type Flushable = ServerResponse & { flush?: () => void };

export function createStreamReader(
  response: Flushable,
  { encode, waitingBytesLimit, timers }: StreamReaderParts,
): StreamReader {
  const subscribed = new Set<string>();

  /** The bytes that may wait beyond the limit until the client has taken a large state or a large page. */
  let allowance = 0;

  function write(text: string, isState = false): void {
    if (response.writableEnded || response.destroyed) return;
    const isBehind = response.writableNeedDrain;
    if (!isBehind) allowance = 0;
    if (isState) allowance = Math.max(allowance, Buffer.byteLength(text));
    response.write(text);
    if (typeof response.flush === 'function') response.flush();
    if (response.writableLength <= waitingBytesLimit + allowance) return;
    // One page of long facts can exceed the limit. A client that was not behind gets the time to take the page.
    if (isBehind) response.destroy();
    else allowance = Buffer.byteLength(text);
  }
  function end(): void {
    response.end();
    const cancel = timers.after(LAST_WRITE_MS, () => response.destroy());
    response.once('close', cancel);
  }
  function control(message: ControlMessage): void {
    write(item(JSON.stringify(message)));
  }
  function state(message: ControlMessage, id: EventPosition | null): void {
    write(item(JSON.stringify(message), id), true);
  }

  return {
    begin(welcome, { channels, seq, snapshot, isResynced }) {
      for (const channel of channels) subscribed.add(channel);
      response.writeHead(200, HEADERS);
      control({ type: 'welcome', ...welcome });
      const { epoch } = welcome;
      state(
        { type: 'subscribed', id: null, channels, seq, ...(snapshot !== null && { snapshot }) },
        // If a resync follows, this item has no id. So a client that is cut off before the resync resumes
        // from its older id, and gets a resync again.
        isResynced ? null : { epoch, seq },
      );
    },
    comment: () => write(COMMENT),
    deliver: (batch) => write(batch.encoded(encode)),
    ready: () =>
      new Promise((resolve) => {
        if (!response.writableNeedDrain) {
          resolve();
          return;
        }
        const settled = (): void => {
          response.off('drain', settled).off('close', settled);
          resolve();
        };
        response.on('drain', settled).on('close', settled);
      }),
    resync: ({ channels, reason, epoch, seq, snapshot }) =>
      state({ type: 'resync', id: null, channels, reason, epoch, seq, snapshot }, { epoch, seq }),
    scopeLost(channels) {
      control({ type: 'unsubscribed', id: null, channels: [...channels] });
      for (const channel of channels) subscribed.delete(channel);
      if (subscribed.size === 0) end();
    },
    end,
  };
}
