import { readFileSync } from 'node:fs';

/** Joins the lines of each paragraph and each list item, because their line breaks have no meaning. */
export function readPage(path: string): string {
  return readFileSync(path, 'utf8').replace(/(?<=\S)\n(?:(?![ ]*(?:[-|#>]|\d+\.|```))[ ]*)(?=\S)/g, ' ');
}

export function itemsOf(text: string): string[] {
  return text
    .split('\n')
    .filter((line) => line.startsWith('- '))
    .map((line) => line.slice(2));
}
