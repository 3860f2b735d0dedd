/** An excerpt has about `EXCERPT` characters, with at most `BEFORE` of them before the first search term. */
const EXCERPT = 140;
const BEFORE = 40;

/**
 * The part of the text around its first search term, or its beginning if it has none of the terms. The text is cut
 * between words where that is possible.
 */
export function excerptOf(text: string, terms: readonly string[]): string {
  const lower = text.toLowerCase();
  const places = terms.map((term) => lower.indexOf(term)).filter((place) => place >= 0);
  const start = startOfWord(text, Math.max(0, Math.min(...places, text.length) - BEFORE), places.length > 0);
  const end = endOfWord(text, start);
  return `${start > 0 ? '…' : ''}${text.slice(start, end)}${end < text.length ? '…' : ''}`;
}

function startOfWord(text: string, from: number, isFound: boolean): number {
  if (!isFound || from === 0) return 0;
  const space = text.slice(from - 1, from + BEFORE).indexOf(' ');
  return space < 0 ? from : from + space;
}

function endOfWord(text: string, start: number): number {
  const end = start + EXCERPT;
  if (end >= text.length) return text.length;
  const space = text.lastIndexOf(' ', end);
  return space > start ? space : end;
}
