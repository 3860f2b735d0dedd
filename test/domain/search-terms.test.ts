import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { searchTerms } from '../../src/domain/search-terms';

describe('search terms', () => {
  it.each([
    ['Will it rain in São Paulo?', ['will', 'it', 'rain', 'in', 'sao', 'paulo']],
    ['Größe GRÖSSE', ['grosse']],
    ["Don’t stop, don't", ['dont', 'stop']],
    ['ΟΔΟΣ οδοσ', ['οδοσ']],
    ['ﬁne ２０２７ İzmir', ['fine', '2027', 'izmir']],
    ['🎲 — ?!', []],
    ['', []],
    ['東京で雨', expect.arrayContaining(['東京'])],
  ])('of %j', (text, terms) => {
    expect(searchTerms(text)).toEqual(terms);
  });

  it('are distinct and short, for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 80 }), (text) => {
        const terms = searchTerms(text);
        expect(new Set(terms).size).toBe(terms.length);
        for (const term of terms) {
          expect(term).not.toBe('');
          expect(Array.from(term).length).toBeLessThanOrEqual(64);
          expect(term).not.toMatch(/\p{Surrogate}/u);
        }
      }),
      { numRuns: 300 },
    );
  });
});
