import { feedBatch } from '../../../src/live/feed/message-batch';
import { feedFact, FeedMessage } from '../../../src/live/feed/feed-message';
import { silentLogger } from '../../../src/ports/logger';
import { createSendBuffer } from '../../../src/live/websocket/send-buffer';
import type { FeedBatch } from '../../../src/live/feed/types';
import type { SocketWriter } from '../../../src/live/websocket/socket-writer';
import { stored } from '../../events/random-facts';
import { createFeedWorld, type FeedWorld } from '../feed/support';

interface Sent {
  channel: string;
  seq: number;
  prev?: number | null;
}

function setUp(limit = 1_000_000) {
  const sent: Sent[] = [];
  const controls: string[] = [];
  const state = { waiting: 0, tooSlow: 0 };
  let taken = (): void => undefined;
  const writer: SocketWriter = {
    send(text) {
      state.waiting += text.length;
      controls.push(`${(JSON.parse(text) as { type: string }).type} after ${sent.length}`);
    },
    sendBatch({ messages, conflate }) {
      const texts = messages.map((each) => (conflate ? each.conflatedText : each.text));
      state.waiting += texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
      sent.push(...texts.map((text) => JSON.parse(text) as Sent));
    },
    ping: () => undefined,
    waiting: () => state.waiting,
    afterTaken: (listener) => void (taken = listener),
  };
  const sendBuffer = createSendBuffer({ writer, limit, owner: { tooSlow: () => void (state.tooSlow += 1) } });
  const take = (waiting: number): void => {
    state.waiting = waiting;
    const told = taken;
    taken = () => undefined;
    told();
  };
  return { sendBuffer, sent, controls, state, take };
}

describe('the sendBuffer of a socket', () => {
  let world: FeedWorld;
  let seq: number;
  beforeEach(async () => {
    world = await createFeedWorld();
    seq = 0;
  });

  function batch(conflate: boolean, ...markets: number[]) {
    const messages = markets.flatMap((id) => {
      seq += 1;
      const fact = feedFact({ ...stored(world.trade(id), seq), seq }, silentLogger);
      const wanted = fact.messages.filter(({ channel }) => channel === 'prices' || channel === 'trades');
      return wanted.map((message) => new FeedMessage(fact, message, seq - 1));
    });
    return feedBatch(messages, conflate);
  }
  const lines = (sent: Sent[]): string[] => sent.map((each) => `${each.channel} ${each.seq}`);

  it('leaves out all but the last price of each market for a client that is behind and asked for it', () => {
    const { sendBuffer, sent, take } = setUp();
    sendBuffer.deliver(batch(true, 1));
    expect(lines(sent)).toEqual(['trades 1', 'prices 1']);
    take(70_000);
    sendBuffer.deliver(batch(true, 1, 2, 1));
    sendBuffer.deliver(batch(true, 1));
    expect(lines(sent).slice(2)).toEqual(['trades 2', 'trades 3', 'trades 4', 'trades 5']);
    take(66_000);
    expect(sent).toHaveLength(6);
    take(0);
    expect(lines(sent).slice(6)).toEqual(['prices 3', 'prices 5']);
    sendBuffer.deliver(batch(true, 2));
    expect(lines(sent).slice(8)).toEqual(['trades 6', 'prices 6']);
    expect(sent.every((message) => 'prev' in message === (message.channel === 'trades'))).toBe(true);
  });

  it.each(['unsubscribed', 'subscribed', 'resync'])('sends held prices before %s', (type) => {
    const { sendBuffer, sent, controls, take } = setUp();
    take(70_000);
    sendBuffer.deliver(batch(true, 1));
    sendBuffer.send({ type: 'pong' });
    sendBuffer.send({ type });
    expect(lines(sent)).toEqual(['trades 1', 'prices 1']);
    expect(controls).toEqual(['pong after 1', `${type} after 2`]);
  });

  it('leaves out nothing for any other client', () => {
    const { sendBuffer, sent, take } = setUp();
    take(900_000);
    sendBuffer.deliver(batch(false, 1, 1));
    expect(lines(sent)).toEqual(['trades 1', 'prices 1', 'trades 2', 'prices 2']);
    expect(sent[3]?.prev).toBe(1);
  });

  it('says when too much waits, but lets a client take a large answer', () => {
    const { sendBuffer, state, take } = setUp(1_000_000);
    sendBuffer.send({ type: 'subscribed', ...{ text: 'x'.repeat(2_000_000) } });
    expect(state.tooSlow).toBe(0);
    sendBuffer.deliver(batch(false, 1));
    expect(state.tooSlow).toBe(0);
    take(0);
    take(1_000_001);
    sendBuffer.deliver(batch(false, 1));
    expect(state.tooSlow).toBe(1);
  });

  it('lets a client that was not behind take a page above the limit, and then holds it to the limit again', () => {
    const { sendBuffer, state, take } = setUp(65_536);
    const page = (): FeedBatch => batch(false, ...Array.from({ length: 200 }, () => 1));
    sendBuffer.deliver(page());
    expect(state.waiting).toBeGreaterThan(65_536);
    sendBuffer.deliver(batch(false, 1));
    expect(state.tooSlow).toBe(0);
    sendBuffer.deliver(page());
    expect(state.tooSlow).toBe(1);
    take(0);
    sendBuffer.deliver(batch(false, 1));
    take(65_537);
    sendBuffer.deliver(batch(false, 1));
    expect(state.tooSlow).toBe(2);
  });

  it('is ready when little waits, and when it has ended', async () => {
    const { sendBuffer, take } = setUp();
    await sendBuffer.ready();
    take(70_000);
    const told: string[] = [];
    void sendBuffer.ready().then(() => told.push('first'));
    await Promise.resolve();
    expect(told).toEqual([]);
    take(10);
    await Promise.resolve();
    expect(told).toEqual(['first']);
    take(70_000);
    const waiting = sendBuffer.ready();
    sendBuffer.end();
    await waiting;
  });
});
