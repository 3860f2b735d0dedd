import { searchTerms } from '../../../src/domain/search-terms';
import type { Market } from '../../../src/domain/types';
import { OrderedSet } from './ordered-set';
import { compareText } from './row-keys';

interface TermKey {
  term: string;
  id: number;
}

/** The search terms of questions, in order. A question never changes, so an update changes no term. */
export class TermIndex {
  readonly #keys = new OrderedSet<TermKey>((a, b) => compareText(a.term, b.term) || a.id - b.id);

  replace(before: Market | undefined, after: Market | undefined): void {
    if (before !== undefined && after !== undefined) return;
    for (const key of keysOf(before)) this.#keys.delete(key);
    for (const key of keysOf(after)) this.#keys.add(key);
  }

  /** The ids of the markets that have, for each of the words, a term that begins with the word. */
  find(words: readonly string[]): Set<number> {
    const [first = '', ...others] = words;
    let found = this.#beginning(first);
    for (const word of others) {
      const more = this.#beginning(word);
      found = new Set([...found].filter((id) => more.has(id)));
    }
    return found;
  }

  #beginning(word: string): Set<number> {
    const ids = new Set<number>();
    for (const { term, id } of this.#keys.ascending({ term: word, id: 0 })) {
      if (!term.startsWith(word)) break;
      ids.add(id);
    }
    return ids;
  }
}

function keysOf(market: Market | undefined): TermKey[] {
  if (market === undefined) return [];
  return searchTerms(market.question).map((term) => ({ term, id: market.id }));
}
