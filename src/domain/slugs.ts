/** Names for a market's address. A slug is never mistaken for an id, a ticker or a page of its own. */

/** The longest slug, suffixes included. */
export const SLUG_LENGTH = 80;

const PREFIX = 'market-';
/** Words that stand beside slugs in addresses. */
const RESERVED = new Set(['new', 'create', 'all', 'search', 'api', 'admin', 'null', 'undefined']);
/** Letters that Unicode does not decompose, as people write them in ASCII. */
const LETTERS: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ħ: 'h',
  ŧ: 't',
  ŋ: 'n',
  ı: 'i',
  ĸ: 'k',
};

/**
 * Slugs for a question, best first; the first that is free is taken: plain, with the id, with id and a random
 * suffix (ASCII letters and digits). Each is 1 to 80 characters of `a-z`, `0-9` and single hyphens, never
 * digits only, never like a ticker, never a reserved word.
 */
export function slugCandidates(question: string, id: number, randomSuffix: string): string[] {
  const text = hyphenated(question);
  if (text === '') return [`${PREFIX}${id}`, `${PREFIX}${id}-${randomSuffix}`];
  const suffixed = (suffix: string): string => `${distinct(text, SLUG_LENGTH - suffix.length)}${suffix}`;
  return [suffixed(''), suffixed(`-${id}`), suffixed(`-${id}-${randomSuffix}`)];
}

function hyphenated(question: string): string {
  return question
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[\u0080-\uffff]/g, (letter) => LETTERS[letter] ?? letter)
    .replace(/['’‘]|\p{M}/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}

/** Shortened to fit, and set apart from ids, tickers and reserved words. */
function distinct(text: string, length: number): string {
  const plain = cutAtWord(text, length);
  // `pm` alone too: with the id behind it, it would read like a ticker.
  const taken = /^\d+$/.test(plain) || /^pm(-\d+)?$/.test(plain) || RESERVED.has(plain);
  return taken ? `${PREFIX}${cutAtWord(text, length - PREFIX.length)}` : plain;
}

function cutAtWord(text: string, length: number): string {
  if (text.length <= length) return text;
  const cut = text.slice(0, length);
  if (text[length] === '-') return cut;
  const lastBreak = cut.lastIndexOf('-');
  return lastBreak > 0 ? cut.slice(0, lastBreak) : cut;
}
