/** The length of the longest slug, suffixes included. */
export const SLUG_LENGTH = 80;

const PREFIX = 'market-';
/** Words that have their own meaning in web addresses. */
const RESERVED = new Set(['new', 'create', 'all', 'search', 'api', 'admin', 'null', 'undefined']);
/** Letters that Unicode does not decompose, with their usual ASCII spelling. */
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
 * The slugs for a question, best first: the plain slug, a slug with the id, and a slug with id and random
 * suffix. A question without letters or digits that have an ASCII spelling has no plain slug. No slug is only digits,
 * looks like a ticker, or is a reserved word.
 */
export function slugCandidates(question: string, id: number, randomSuffix: string): string[] {
  const text = hyphenated(question);
  if (text === '') return [`${PREFIX}${id}`, `${PREFIX}${id}-${randomSuffix}`];
  const suffixed = (suffix: string): string => `${distinct(text, SLUG_LENGTH - suffix.length)}${suffix}`;
  return [distinct(text, SLUG_LENGTH), suffixed(`-${id}`), suffixed(`-${id}-${randomSuffix}`)];
}

/** The first slug of `slugCandidates`, without an id. `null` if the question has no plain slug. */
export function plainSlug(question: string): string | null {
  const text = hyphenated(question);
  return text === '' ? null : distinct(text, SLUG_LENGTH);
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

/** Shortens the text to fit, and makes it differ from ids, tickers and reserved words. */
function distinct(text: string, length: number): string {
  const plain = cutAtWord(text, length);
  // `pm` alone is not allowed, because `pm` with an id would read like a ticker.
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
