import fc from 'fast-check';
import { parseMarketReference } from '../../src/domain/market';
import { SLUG_LENGTH, slugCandidates } from '../../src/domain/slugs';

const first = (question: string): string | undefined => slugCandidates(question, 7, 'k3x9')[0];

describe('slugCandidates', () => {
  it('offers the plain slug, then the id, then a random suffix', () => {
    expect(slugCandidates('Will BTC hit $100k by 2027?', 7, 'k3x9')).toEqual([
      'will-btc-hit-100k-by-2027',
      'will-btc-hit-100k-by-2027-7',
      'will-btc-hit-100k-by-2027-7-k3x9',
    ]);
  });

  it.each([
    ['Größe über Straße?', 'grosse-uber-strasse'],
    ['Ærø, Łódź & Đorđe', 'aero-lodz-dorde'],
    ['Þór İstanbul ıssız', 'thor-istanbul-issiz'],
    ["Will Trump's bill pass?", 'will-trumps-bill-pass'],
    ['It’s 50% — “really”?', 'its-50-really'],
    ['ＦＩＦＡ ２０２６ ﬁnal', 'fifa-2026-final'],
    ['  --Hello--World--  ', 'hello-world'],
    ['2027', 'market-2027'],
    ['pm-0001', 'market-pm-0001'],
    ['PM 12?', 'market-pm-12'],
    ['PM', 'market-pm'],
    ['New?', 'market-new'],
    ['比特币会涨吗', 'market-7'],
    ['🚀🚀', 'market-7'],
    ['\ud800', 'market-7'],
    ['', 'market-7'],
  ])('%j becomes %s', (question, slug) => {
    expect(first(question)).toBe(slug);
  });

  it('cuts at a word, and hard where there is none', () => {
    const words = 'word '.repeat(40);
    expect(first(words)).toBe('word-'.repeat(16).slice(0, -1));
    expect(first(`${'word '.repeat(15)}exact`)).toBe(`${'word-'.repeat(15)}exact`);
    expect(first('x'.repeat(200))).toBe('x'.repeat(SLUG_LENGTH));
    expect(first('1'.repeat(200))).toBe(`market-${'1'.repeat(SLUG_LENGTH - 7)}`);
    expect(first(`pm ${'0'.repeat(100)}`)).toBe('market-pm');
  });

  it('gives different names for any questions, none of them an id, a ticker or too long', () => {
    const words = fc.constantFrom('pm', '0001', 'new', '2027', 'rain', 'ß', '雨', '-', "'");
    const question = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 280 }),
      fc.array(words, { maxLength: 60 }).map((parts) => parts.join(' ')),
      fc.array(words, { maxLength: 60 }).map((parts) => parts.join('-')),
    );
    const id = fc.oneof(fc.integer({ min: 1, max: 20_000 }), fc.constant(Number.MAX_SAFE_INTEGER));
    fc.assert(
      fc.property(question, id, (text, marketId) => {
        const candidates = slugCandidates(text, marketId, 'k3x9q2');
        expect(new Set(candidates).size).toBe(candidates.length);
        for (const slug of candidates) {
          expect(slug).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
          expect(slug.length <= SLUG_LENGTH).toBe(true);
          expect(slug).not.toMatch(/^\d+$|^pm-\d+$|^new$/);
          expect(parseMarketReference(slug)).toEqual({ kind: 'slug', slug });
        }
      }),
      { numRuns: 1_000 },
    );
  });
});
