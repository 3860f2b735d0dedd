/** Draws the texts of the picture. A server may have no fonts, so the letters come with the package. */
import { glyphs, UNITS } from './glyphs.generated';
import { fillOutline, type Coverage } from './outline';

export interface Letter {
  advance: number;
  shape: Coverage;
}

const advanceOf = (character: string): number | undefined => {
  const glyph = Object.hasOwn(glyphs, character) ? glyphs[character] : undefined;
  return glyph === undefined ? undefined : Number.parseInt(glyph, 10) / UNITS;
};

/**
 * The text, without signs that have no outline, such as emoji. Null if a letter, a numeral or a combining mark has no
 * outline, because half a question could say the opposite.
 */
export function drawableText(text: string): string | null {
  const characters = [...text.normalize('NFC').replace(/\s+/g, ' ').trim()];
  const unknown = characters.filter((character) => advanceOf(character) === undefined);
  if (unknown.some((character) => /[\p{L}\p{N}\p{M}]/u.test(character))) return null;
  const known = characters.filter((character) => advanceOf(character) !== undefined).join('');
  return known.replace(/ +/g, ' ').trim();
}

export function widthOf(text: string, size: number): number {
  return [...text].reduce((sum, character) => sum + (advanceOf(character) ?? 0), 0) * size;
}

/** The filled letters, by size and letter. There are at most as many as outlines times sizes. */
const filled = new Map<string, Letter>();

export function letterOf(character: string, size: number): Letter {
  const name = `${size} ${character}`;
  const known = filled.get(name);
  if (known !== undefined) return known;
  const outline = glyphs[character] ?? '';
  const shape = fillOutline(outline.replace(/^\d+/, ''), size / UNITS);
  const letter = { advance: (advanceOf(character) ?? 0) * size, shape };
  filled.set(name, letter);
  return letter;
}

/**
 * Lines of at most `width`, broken between words where that is possible. The last line ends with … if more text
 * follows.
 */
export function wrapped(text: string, size: number, width: number, mostLines: number): string[] {
  const lines: string[] = [];
  let rest = text;
  while (rest !== '' && lines.length < mostLines) {
    const isLast = lines.length === mostLines - 1;
    const line = beginningOf(rest, size, width, isLast);
    lines.push(line.text);
    rest = line.rest;
  }
  return lines;
}

function beginningOf(
  text: string,
  size: number,
  width: number,
  isLast: boolean,
): { text: string; rest: string } {
  if (widthOf(text, size) <= width) return { text, rest: '' };
  const room = isLast ? width - widthOf('…', size) : width;
  const characters = [...text];
  let count = 0;
  for (let used = 0; count < characters.length; count += 1) {
    used += widthOf(characters[count] ?? '', size);
    if (used > room) break;
  }
  const fitting = characters.slice(0, Math.max(1, count)).join('');
  const space = text[fitting.length] === ' ' ? fitting.length : fitting.lastIndexOf(' ');
  const kept = space > 0 ? fitting.slice(0, space) : fitting;
  return { text: isLast ? `${kept}…` : kept, rest: text.slice(kept.length).trim() };
}
