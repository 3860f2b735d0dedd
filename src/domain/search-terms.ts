import { kindOf } from './options';

/** The most characters and words of a search. */
export const LONGEST_SEARCH = 200;
export const MOST_SEARCH_WORDS = 8;

/** Longer terms are cut, so that an entry of an index stays short. */
const LONGEST_TERM = 64;

/** Made when it is first used, because making it takes milliseconds. */
let words: Intl.Segmenter | null = null;

/**
 * The distinct words of a text in the form in which they are compared: without case, marks and apostrophes. A
 * market is found by a search when each term of the search is the beginning of a term of its question.
 */
export function searchTerms(text: string): string[] {
  if (typeof text !== 'string') throw new TypeError(`searchTerms: give a text, got ${kindOf(text)}`);
  const terms = new Set<string>();
  words ??= new Intl.Segmenter('en', { granularity: 'word' });
  for (const { segment, isWordLike } of words.segment(text.normalize('NFKC'))) {
    if (isWordLike !== true) continue;
    const term = folded(segment);
    if (term !== '') terms.add(term);
  }
  return [...terms];
}

/**
 * The word goes through upper case first, so that `ß` becomes `ss`. The two small sigmas of Greek count as
 * one letter.
 */
function folded(word: string): string {
  const plain = word
    .toUpperCase()
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[\p{M}'’]/gu, '');
  return Array.from(plain.replaceAll('ς', 'σ')).slice(0, LONGEST_TERM).join('');
}
