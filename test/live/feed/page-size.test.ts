import { describe, expect, it } from '@jest/globals';
import { LARGEST_PAGE } from '../../../src/live/feed/pace';
import { liveConfig } from '../../../src/live-options';
import { createFeedWorld, NotingReader, subscribe } from './support';

const TRADES = 10;

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
});
