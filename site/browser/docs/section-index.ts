/** The sections of all pages, and which of them a search finds first. */
import MiniSearch, { type SearchResult } from 'minisearch';

export interface Section {
  id: string;
  title: string;
  page: string;
  text: string;
}

/** Finds sections. The best comes first. */
export type FindSections = (query: string) => SearchResult[];

/** Sections that explain a subject come before those that define its words, list its types or name its figures. */
const LESS = /^(types|glossary|performance)\b/;
const boostDocument = (id: string): number => (LESS.test(id) ? 0.3 : 1);

const EXACT = { boost: { title: 4, page: 2 }, prefix: true, combineWith: 'AND', boostDocument } as const;

/**
 * The search finds similar words only if the exact words find nothing. So "CORS" does not find "cores", and a
 * long word with a typing error still finds something.
 */
export function indexOf(sections: readonly Section[]): FindSections {
  const index = new MiniSearch<Section>({
    fields: ['title', 'page', 'text'],
    storeFields: ['title', 'page', 'text'],
  });
  index.addAll(sections);
  return (query) => {
    const exact = index.search(query, EXACT);
    return exact.length > 0 ? exact : index.search(query, { ...EXACT, fuzzy: 0.15 });
  };
}
