import type { Category, ListMarketsInput } from '../src/index';

/** Values and their texts, in the order in which they are shown. */
function choicesOf<Value extends string>(texts: Record<Value, string>): readonly [Value, string][] {
  return Object.entries(texts) as [Value, string][];
}

type Status = NonNullable<ListMarketsInput['status']>;
type Sort = NonNullable<ListMarketsInput['sort']>;

/** The statuses in the filter. The empty text stands for all statuses. */
export const STATUSES = choicesOf<'' | Status>({
  '': 'All',
  open: 'Open',
  resolving: 'Resolving',
  resolved: 'Resolved',
});
export const SORTS = choicesOf<Sort>({
  volume_desc: 'Most traded',
  created_desc: 'Newest',
  resolve_asc: 'Closing first',
});
export const CATEGORIES = choicesOf<Category>({
  crypto: 'Crypto',
  sports: 'Sports',
  politics: 'Politics',
  science: 'Science',
  entertainment: 'Entertainment',
  other: 'Other',
});

/** The text of a category, such as `Science` for `science`. */
export function categoryName(category: string): string {
  return CATEGORIES.find(([value]) => value === category)?.[1] ?? category;
}

/** The value that a text names. `undefined` when the text names no value. */
export function choiceNamed<Value extends string>(
  choices: readonly (readonly [Value, string])[],
  text: string | null,
): Value | undefined {
  return choices.find(([value]) => value === text)?.[0];
}
