import { describe, expect, it } from '@jest/globals';
import type { FeedBatch } from '../../../src/live/feed/types';
import { LARGEST_PAGE } from '../../../src/live/feed/pace';
import { liveConfig } from '../../../src/live-options';
import { createSendBuffer } from '../../../src/live/websocket/send-buffer';
import type { SocketWriter } from '../../../src/live/websocket/socket-writer';
import { createFeedWorld, NotingReader, subscribe } from './support';

const TRADES = 10;
/** Each character takes four bytes in UTF-8. */
const LONGEST_QUESTION = '\u{1F600}'.repeat(280);

class OutletReader extends NotingReader {
  bytes = 0;
  wasTooSlow = false;
  readonly #sendBuffer = createSendBuffer({
    writer: this.#writer(),
    limit: liveConfig().waitingBytesLimit,
    owner: { tooSlow: () => void (this.wasTooSlow = true) },
  });

  override deliver(batch: FeedBatch): void {
    this.#sendBuffer.deliver(batch);
  }

  #writer(): SocketWriter {
    return {
      send: () => undefined,
      sendBatch: ({ messages }) => {
        for (const { text } of messages) this.bytes += Buffer.byteLength(text);
      },
      ping: () => undefined,
      waiting: () => this.bytes,
      afterTaken: () => undefined,
    };
  }
}

describe('The largest page', () => {
  it('of trades stays below the bytes that may wait for a reader of trades, prices and all markets', async () => {
    const world = await createFeedWorld();
    const { feed, run } = await world.instance();
    const reader = new NotingReader();
    await subscribe(feed.connect(reader), reader, ['trades', 'prices', 'market:1', 'market:2']);
    await world.commit(...Array.from({ length: TRADES }, (_, index) => world.trade(1 + (index % 2))));
    await run();
    const bytes = reader.messages().reduce((sum, each) => sum + Buffer.byteLength(JSON.stringify(each)), 0);
    expect(reader.messages()).toHaveLength(3 * TRADES);
    expect((bytes / TRADES) * LARGEST_PAGE).toBeLessThan(liveConfig().waitingBytesLimit);
  });
  it('of markets with the longest questions is larger, and closes no reader who was not behind', async () => {
    const world = await createFeedWorld();
    const { feed, run } = await world.instance();
    const reader = new OutletReader();
    await subscribe(feed.connect(reader), reader, ['trades', 'prices', 'markets', 'market:1', 'market:2']);
    const rows = Array.from({ length: LARGEST_PAGE }, (_, index) => world.opened(1 + (index % 2)));
    await world.commit(...rows.map((row) => ({ ...row, data: { ...row.data, question: LONGEST_QUESTION } })));
    await run();
    expect(reader.bytes).toBeGreaterThan(liveConfig().waitingBytesLimit);
    expect(reader.wasTooSlow).toBe(false);
  });
});
