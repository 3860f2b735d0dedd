import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { channelEvents } from '../../src/events/message.schema';
import { EVENT_NAMES } from '../../src/domain/events';
import { expectMessage } from '../support/expect-message';
import { sentMessages } from './messages';
import { randomFacts } from './random-facts';

describe('The schemas of the messages', () => {
  it('hold for what random facts become', () => {
    fc.assert(
      fc.property(randomFacts, fc.option(fc.integer({ min: 0, max: 6 })), (row, prev) => {
        for (const message of sentMessages(row, prev)) expectMessage(message);
      }),
    );
  });

  it('refuse a message with a field too few or too many, in its data too', () => {
    fc.assert(
      fc.property(randomFacts, (row) => {
        for (const message of sentMessages(row)) {
          for (const name of Object.keys(message.data)) {
            const { [name]: _gone, ...data } = message.data as unknown as Record<string, unknown>;
            expect(() => expectMessage({ ...message, data })).toThrow(name);
          }
          expect(() => expectMessage({ ...message, data: { ...message.data, more: 1 } })).toThrow('more');
          expect(() => expectMessage({ ...message, more: 1 })).toThrow('more');
        }
      }),
      { numRuns: 20 },
    );
  });

  it('refuse a message on a channel that does not tell of it', () => {
    fc.assert(
      fc.property(randomFacts, (row) => {
        for (const message of sentMessages(row)) {
          const wrong = message.channel === 'account' ? 'trades' : 'account';
          expect(() => expectMessage({ ...message, channel: wrong })).toThrow('channel');
        }
      }),
      { numRuns: 20 },
    );
  });

  it('refuse what is not declared', () => {
    for (const message of [null, 7, {}, { type: 'event', event: 'toString' }, { type: '__proto__' }])
      expect(() => expectMessage(message)).toThrow('No such message');
  });

  it('exist for every event on the channels of docs/live.md', () => {
    expect(Object.values(channelEvents).flat().sort()).toEqual([...EVENT_NAMES].sort());
  });
});
