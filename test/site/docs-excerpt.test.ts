import fc from 'fast-check';
import { excerptOf } from '../../site/browser/docs/excerpt';

const text = `${'Every payment is claimed before it is verified by anyone. '.repeat(4)}A settlement follows. ${'Then the call runs once. '.repeat(20)}`;

it('an excerpt shows a short text whole, and a text without the term from its beginning', () => {
  expect(excerptOf('A short text.', ['short'])).toBe('A short text.');
  expect(excerptOf(text, ['absent'])).toMatch(/^Every payment .*…$/);
  expect(excerptOf('', ['absent'])).toBe('');
});

it('an excerpt begins before the term, between two words', () => {
  const excerpt = excerptOf(text, ['settlement']);
  expect(excerpt).toMatch(/^…before it is verified by anyone. A settlement follows\. .*…$/);
});

it('an excerpt cuts no word, and shows the beginning of the term, in any text of usual words', () => {
  const word = fc.stringMatching(/^[a-z]{1,20}$/);
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 80 }), fc.nat(), (words, choice) => {
      const term = words[choice % words.length] ?? '';
      const excerpt = excerptOf(words.join(' '), [term]);
      const shown = excerpt.replaceAll('…', '').trim().split(' ');
      expect(shown.filter((each) => !words.includes(each))).toEqual([]);
      expect(excerpt).toContain(term);
      expect(excerpt.length).toBeLessThanOrEqual(142);
    }),
  );
});

it('an excerpt cuts a word that is longer than the excerpt', () => {
  const excerpt = excerptOf(`${'a'.repeat(500)}term${'b'.repeat(500)}`, ['term']);
  expect(excerpt).toContain('term');
  expect(excerpt).toHaveLength(142);
});
