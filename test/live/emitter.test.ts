import type { EventName, PublishedEvent } from '../../src/domain/events';
import { createEmitter, type Emitter } from '../../src/live/emitter';
import { quiet } from '../jobs/manual-timers';

function setUp(): { emitter: Emitter; logged: { err: unknown; event: string; seq: number }[] } {
  const logged: { err: unknown; event: string; seq: number }[] = [];
  const nothing = (): void => undefined;
  const error = (fields: object): void => void logged.push(fields as (typeof logged)[number]);
  return { emitter: createEmitter({ debug: nothing, info: nothing, warn: nothing, error }), logged };
}

function creatorUpdated(seq: number): PublishedEvent<'creator.updated'> {
  return {
    event: 'creator.updated',
    seq,
    marketSeq: null,
    ts: '2030-01-01T00:00:00.000Z',
    data: { address: '0x1', status: 'approved', reason: null },
  };
}

describe('the emitter', () => {
  it('calls the listeners of an event in their order, and no others', () => {
    const { emitter } = setUp();
    const heard: string[] = [];
    emitter
      .on('creator.updated', ({ data }) => void heard.push(`first ${data.status}`))
      .on('creator.updated', ({ seq }) => void heard.push(`second ${seq}`))
      .on('trade', () => void heard.push('trade'));
    emitter.publish(creatorUpdated(7));
    expect(heard).toEqual(['first approved', 'second 7']);
  });

  it('refuses an event that does not exist, and a listener that is no function', () => {
    const { emitter } = setUp();
    const listener = (): void => undefined;
    expect(() => emitter.on('trades' as never, listener)).toThrow(
      'events.on: unknown event trades; did you mean trade?',
    );
    expect(() => emitter.once('Market-Created' as never, listener)).toThrow(
      /did you mean market\.created\?$/,
    );
    expect(() => emitter.on('zzzz' as never, listener)).toThrow(
      /the events are: market\.created, .*creator\.updated, consumer\.parked, webhook\.disabled$/,
    );
    expect(() => emitter.on('trade', undefined as never)).toThrow(
      'events.on: the listener of trade must be a function',
    );
  });

  it('calls a listener once, or no more, when the host asks for that', () => {
    const { emitter } = setUp();
    const heard: string[] = [];
    const listener = ({ seq }: { seq: number }): void => void heard.push(`on ${seq}`);
    emitter.once('creator.updated', ({ seq }) => void heard.push(`once ${seq}`));
    emitter.on('creator.updated', listener);
    emitter.publish(creatorUpdated(1));
    emitter.off('creator.updated', listener);
    emitter.publish(creatorUpdated(2));
    expect(heard).toEqual(['once 1', 'on 1']);
  });

  it('knows whether there are listeners', () => {
    const { emitter } = setUp();
    const listener = (): void => undefined;
    expect(emitter.hasListeners()).toBe(false);
    emitter.on('trade', listener).once('price', listener);
    expect(emitter.hasListeners()).toBe(true);
    emitter.off('trade', listener).off('price', listener);
    expect(emitter.hasListeners()).toBe(false);
  });

  it('keeps a listener that throws or rejects from hurting others, and logs it', async () => {
    const { emitter, logged } = setUp();
    const heard: number[] = [];
    emitter.on('creator.updated', () => {
      throw new Error('thrown');
    });
    emitter.on('creator.updated', () => Promise.reject(new Error('rejected')));
    emitter.on('creator.updated', ({ seq }) => void heard.push(seq));
    emitter.publish(creatorUpdated(1));
    emitter.publish(creatorUpdated(2));
    await quiet();
    expect(heard).toEqual([1, 2]);
    expect(logged.map(({ err, event, seq }) => `${String(err)} ${event} ${seq}`).sort()).toEqual([
      'Error: rejected creator.updated 1',
      'Error: rejected creator.updated 2',
      'Error: thrown creator.updated 1',
      'Error: thrown creator.updated 2',
    ]);
  });

  it('gives all listeners the same event, which none of them can change', () => {
    const { emitter, logged } = setUp();
    const seen: PublishedEvent<EventName>[] = [];
    emitter.on('creator.updated', (event) => {
      event.data.status = 'suspended';
    });
    emitter.on('creator.updated', (event) => void seen.push(event));
    emitter.publish(creatorUpdated(1));
    expect(seen[0]?.data).toMatchObject({ status: 'approved' });
    expect(logged).toHaveLength(1);
  });
});
