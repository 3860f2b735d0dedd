/** Reads documents for the tests that compare them with the code. */
import { readFileSync } from 'node:fs';

/** The page with each paragraph and each list item on one line, because line breaks have no meaning. */
export function readPage(path: string): string {
  return readFileSync(path, 'utf8').replace(/(?<=\S)\n(?:(?![ ]*(?:[-|#>]|\d+\.|```))[ ]*)(?=\S)/g, ' ');
}

/** The list items of a text, without their dashes. */
export function itemsOf(text: string): string[] {
  return text
    .split('\n')
    .filter((line) => line.startsWith('- '))
    .map((line) => line.slice(2));
}
