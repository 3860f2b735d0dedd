import fc from 'fast-check';
import { createEventStreamParser, readId } from '../../../src/client/live/event-stream';
import { readMessage } from '../../../src/client/live/server-messages';

describe('the reader of a stream', () => {
  const text =
    'retry: 1000\n\ndata: {"a":1}\n\n: still here\n\nid: e1:7\ndata: {"b":\ndata: 2}\r\n\r\nid: e1:8\n\n';
  const items = [
    { id: null, data: '{"a":1}' },
    { id: 'e1:7', data: '{"b":\n2}' },
  ];

  it('finds the same items wherever the text is cut', () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: text.length })), (cuts) => {
        const found: object[] = [];
        let comments = 0;
        const read = createEventStreamParser(
          (item) => found.push(item),
          () => (comments += 1),
        );
        const points = [0, ...cuts.sort((left, right) => left - right), text.length];
        for (const [index, point] of points.entries()) read(text.slice(points[index - 1] ?? 0, point));
        expect([found, comments]).toEqual([items, 1]);
      }),
    );
  });

  it('takes a state of many markets, which arrives in many pieces', () => {
    const found: number[] = [];
    const read = createEventStreamParser(
      ({ data }) => found.push(data.length),
      () => undefined,
    );
    for (const piece of ['id: e1:7\ndata: ', ...Array<string>(64).fill('x'.repeat(65_536)), '\n\n'])
      read(piece);
    expect(found).toEqual([64 * 65_536]);
  });

  it.each([
    ['a line', 'x'.repeat(1_000_000)],
    ['an item', `data: ${'x'.repeat(1_000_000)}\n`],
  ])('gives up %s that does not end', (_what, piece) => {
    const read = createEventStreamParser(
      () => undefined,
      () => undefined,
    );
    for (let count = 0; count < 15; count += 1) read(piece);
    expect(() => [1, 2].forEach(() => read(piece))).toThrow('does not end');
  });

  it('reads ids and messages, and nothing else', () => {
    expect(readId('e1:7')).toEqual({ epoch: 'e1', seq: 7 });
    expect([readId('7'), readId('e1:x'), readId('')]).toEqual([null, null, null]);
    expect(readMessage('{"type":"heartbeat"}')).toEqual({ type: 'heartbeat' });
    expect([readMessage('{'), readMessage('null'), readMessage('[]'), readMessage('{"a":1}')]).toEqual([
      null,
      null,
      null,
      null,
    ]);
  });

  it.each([
    { type: 'resync' },
    { type: 'resync', channels: ['trades'] },
    { type: 'resync', channels: 'trades', seq: 1 },
    { type: 'resync', channels: ['trades'], seq: 1, snapshot: null },
    { type: 'resync', channels: ['trades'], seq: 1, snapshot: { markets: {} } },
    { type: 'subscribed', channels: [7], seq: 1 },
    { type: 'subscribed', channels: ['trades'], seq: '1' },
    { type: 'unsubscribed', id: null },
    { type: 'welcome', epoch: 'e1', seq: 1 },
    { type: 'welcome', seq: 1, heartbeatSeconds: 20 },
    { type: 'event', channel: 'trades', event: 'trade', seq: 1, data: null },
    { type: 'event', channel: 'trades', event: 'trade', seq: null, data: {} },
    { type: 'event', event: 'trade', seq: 1, data: {} },
    { type: 'error', id: 1 },
    { type: 7 },
  ])('reads no message that lacks what its type has: %j', (message) => {
    expect(readMessage(JSON.stringify(message))).toBeNull();
  });

  it('reads a type that a newer service has, as a sign of life', () => {
    expect(readMessage('{"type":"pong"}')).toEqual({ type: 'pong' });
  });
});
