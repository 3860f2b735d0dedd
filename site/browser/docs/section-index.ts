import MiniSearch, { type SearchResult } from 'minisearch';

export interface Section {
  id: string;
  title: string;
  page: string;
  text: string;
  /** The JavaScript and TypeScript of the section. */
  code: string;
  /** The names that this section defines, such as a setting, an option, a method, an event or a command. */
  names?: readonly string[];
  /** This is a definition inside of another section. Only its names find it. */
  isPart?: true;
}

export interface Found extends Section {
  /** The words around which the excerpt is cut, in lower case. */
  terms: readonly string[];
}

/** The best section comes first. */
export type FindSections = (query: string) => Found[];

/** Factors below 1 move pages such as the glossary, and pages for authors of adapters, down in the results. */
const LESS: readonly (readonly [RegExp, number])[] = [
  [/^(types|glossary|performance|changelog|specification)\b/, 0.3],
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
 * Definitions of the name in the query come first. Then come sections in which each word of the query begins some word.
 * If there are none, words of similar spelling count too. If there are still none, one word of the query is enough.
 */
export function indexOf(sections: readonly Section[]): FindSections {
  const index = new MiniSearch<Section>({
    fields: ['title', 'page', 'text', 'code'],
    storeFields: ['title', 'page', 'text', 'code'],
  });
  index.addAll(sections.filter(({ isPart }) => isPart !== true));
  const searched = (query: string): SearchResult[] => {
    const words = withoutFillers(query);
    for (const more of [{}, { fuzzy: 0.15 }, { combineWith: 'OR' as const }]) {
      const found = index.search(words, { ...EXACT, ...more });
      if (found.length > 0) return found;
    }
    return [];
  };
  return (query) => {
    const definitions = definitionsOf(sections, query);
    const ids = new Set(definitions.map(({ id }) => id));
    const others = searched(query).filter(({ id }) => !ids.has(String(id)));
    return [
      ...definitions,
      ...others.map((hit) => foundIn(hit, definitions.length > 0 ? nameIn(query) : null)),
    ];
  };
}

/** Nearly all sections have these words. `a` even finds all words that begin with it. */
const FILLERS = /(?<!\S)(?:how|to|do|i|a|an|the)(?!\S)/gi;

/** The query without words such as "how to". A query of such words only stays as it is. */
function withoutFillers(query: string): string {
  const words = query.replace(FILLERS, ' ');
  return words.trim() === '' ? query : words;
}

/** Removes one backtick at either end, and the parentheses of a call with what is in them. */
const nameIn = (query: string): string =>
  query
    .trim()
    .replace(/^`|`$/g, '')
    .replace(/\(.*\)$/, '');

/** The beginning of a name such as `DATABASE_URL`, `exposureLimit` or `pm.audit`, which is no plain word. */
const BEGINNING_OF_NAME = /^[A-Z]+\d*_|[a-z][A-Z]|^(pm|client)\../;

/**
 * The sections that define the name, in upper or lower case. If there are none, a beginning such as `DATABASE_` finds
 * the names that begin with these letters.
 */
function definitionsOf(sections: readonly Section[], query: string): Found[] {
  const name = nameIn(query);
  const lower = name.toLowerCase();
  const having = (fits: (each: string) => boolean): Found[] =>
    sections.flatMap((section) => {
      const found = section.names?.find(fits);
      return found === undefined ? [] : [{ ...section, terms: [found.toLowerCase()] }];
    });
  const exact = having((each) => each.toLowerCase() === lower);
  if (exact.length === 0 && BEGINNING_OF_NAME.test(name))
    return having((each) => each.toLowerCase().startsWith(lower));
  const rank = ({ id, names = [] }: Found): number =>
    (names.includes(name) ? 0 : 2) + (id.startsWith('types') ? 1 : 0);
  return exact.sort((one, other) => rank(one) - rank(other));
}

/**
 * If the text contains the name, the name is the only term, so that the excerpt shows the name and not one of its
 * words.
 */
function foundIn(hit: SearchResult, name: string | null): Found {
  const { title, page, text, code } = hit as unknown as Section;
  const terms = name !== null && text.includes(name) ? [name.toLowerCase()] : hit.queryTerms;
  return { id: String(hit.id), title, page, text, code, terms };
}
