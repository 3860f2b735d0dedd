import fc from 'fast-check';
import type { ChannelKey } from '../../../src/events/channel-keys';
import { FactPage } from '../../../src/live/feed/fact-page';
import { feedFact } from '../../../src/live/feed/feed-message';
import { silentLogger } from '../../../src/ports/logger';
import { randomFacts } from '../../events/random-facts';

it('a page has the messages of its facts on the wanted channels, in order', () => {
  fc.assert(
    fc.property(fc.array(randomFacts, { maxLength: 12 }), fc.infiniteStream(fc.boolean()), (rows, wants) => {
      const facts = rows.map((row, index) => feedFact({ ...row, seq: index + 1 }, silentLogger));
      const all = facts.flatMap((fact) => fact.messages.map((message) => ({ fact, message })));
      const known = new Set<ChannelKey>(['trades', 'markets', ...all.map(({ message }) => message.channel)]);
      const wanted = new Set([...known].filter(() => wants.next().value === true));
      const found = new FactPage(facts).on(wanted);
      const expected = all.filter(({ message }) => wanted.has(message.channel));
      expect(found.map(({ fact }) => fact.seq)).toEqual(expected.map(({ fact }) => fact.seq));
      expect(found.every(({ message }, index) => message === expected[index]?.message)).toBe(true);
    }),
  );
});

it('a page has nothing on channels that it does not know, however many are wanted', () => {
  const many = new Set(Array.from({ length: 50 }, (_, index): ChannelKey => `market:${index}`));
  expect(new FactPage([]).on(many)).toEqual([]);
  expect(new FactPage([]).on(new Set())).toEqual([]);
});
