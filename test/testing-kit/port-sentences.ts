/** The sentences that a port's comments consist of: what the conformance suites must know one by one. */
import { readFileSync } from 'node:fs';

/** Without white space at line ends and the stars of the comment; bullets begin a sentence of their own. */
export function sentencesOf(file: string): string[] {
  const source = readFileSync(file, 'utf8');
  return [...source.matchAll(/\/\*\*([^]*?)\*\//g)].flatMap(([, comment = '']) =>
    comment
      .replaceAll(/^\s*\*/gm, '')
      .split(/\n\s*(?:-|\n)\s+/)
      .flatMap((paragraph) =>
        paragraph
          .replaceAll(/\s+/g, ' ')
          .trim()
          .split(/(?<=\.)\s+(?=[A-Z`])/),
      )
      .filter((sentence) => sentence !== ''),
  );
}
