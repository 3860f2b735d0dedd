/** Reads the sentences in the comments of a port. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** The sentences of a file, or of every file in a folder. */
export function sentencesOf(path: string): string[] {
  if (!statSync(path).isDirectory()) return sentencesIn(readFileSync(path, 'utf8'));
  return readdirSync(path).flatMap((name) => sentencesOf(join(path, name)));
}

/** The sentences of all doc comments, each in one line. Each bullet begins a new sentence. */
function sentencesIn(source: string): string[] {
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

/** The names of the interfaces and members of a file that have a comment directly before them. */
export function explainedIn(path: string): string[] {
  const commented = /\*\/\s*(?:export interface |readonly )?(\w+)/g;
  return [...readFileSync(path, 'utf8').matchAll(commented)].map(([, name = '']) => name);
}
