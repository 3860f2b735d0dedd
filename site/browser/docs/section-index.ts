/** The sections of all pages, and which of them a search finds first. */
import MiniSearch, { type SearchResult } from 'minisearch';

export interface Section {
  id: string;
  title: string;
  page: string;
  text: string;
  /** The JavaScript and TypeScript of the section. */
  code: string;
}

/** Finds sections. The best comes first. */
export type FindSections = (query: string) => SearchResult[];

/**
 * Sections that explain a subject come before those that define its words, list its types, name its figures or tell its
 * history, and before pages for authors of adapters.
 */
const LESS: readonly (readonly [RegExp, number])[] = [
  [/^(types|glossary|performance|changelog)\b/, 0.3],
  [/^[\w-]+-adapters\b/, 0.6],
];
const boostDocument = (id: string): number => LESS.find(([ids]) => ids.test(id))?.[1] ?? 1;

const EXACT = {
  boost: { title: 4, page: 2, code: 0.3 },
  prefix: true,
  combineWith: 'AND',
  boostDocument,
} as const;

/**
 * The search finds similar words only if the exact words find nothing. So "CORS" does not find "cores", and a
 * long word with a typing error still finds something. Sections with some words of a query are found only if no
 * section has all of them.
 */
export function indexOf(sections: readonly Section[]): FindSections {
  const index = new MiniSearch<Section>({
    fields: ['title', 'page', 'text', 'code'],
    storeFields: ['title', 'page', 'text', 'code'],
  });
  index.addAll(sections);
  const codes = sections.find(({ id }) => id === 'errors#codes')?.text ?? '';
  return (query) => {
    const code = query.toUpperCase();
    if (codes.includes(` ${code} (`)) return withEntryFirst(index.search(query, EXACT), code);
    for (const more of [{}, { fuzzy: 0.15 }, { combineWith: 'OR' as const }]) {
      const found = index.search(query, { ...EXACT, ...more });
      if (found.length > 0) return found;
    }
    return [];
  };
}

/**
 * The results for an error code: the list of errors comes first. A result that contains the code gets the whole
 * code as its only term, because the excerpt has to show the code and not one of its words.
 */
function withEntryFirst(found: readonly SearchResult[], code: string): SearchResult[] {
  const isEntry = ({ id }: SearchResult): boolean => id === 'errors#codes';
  return [...found.filter(isEntry), ...found.filter((hit) => !isEntry(hit))].map((hit) =>
    String(hit.text).includes(code) ? { ...hit, queryTerms: [code.toLowerCase()] } : hit,
  );
}
